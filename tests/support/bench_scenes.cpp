#include "tests/support/bench_scenes.h"

#include "kernels/core/parallel.h"
#include "kernels/synth/hash.h"
#include "kernels/synth/poly_math.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace scanloupe::test {
namespace {

using synth::kPi;
using synth::randomBits;
using synth::sinCos;
using synth::uniform;

constexpr std::size_t kGrain = std::size_t{1} << 14;

/// A vector of make(0), make(1), ..., on all cores.
template <class Make>
auto makeAll(std::uint64_t count, Make&& make) {
    std::vector<decltype(make(std::uint64_t{0}))> values(count);
    parallelFor(count, kGrain, {}, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            values[i] = make(std::uint64_t{i});
    });
    return values;
}

double terrainHeight(double x, double y) {
    return 0.8 * sinCos(0.11 * x).sine + 0.6 * sinCos(0.17 * y).sine + 0.3 * sinCos(0.5 * x + 0.3 * y).sine -
           1.5;
}

Vec3f terrainPoint(std::uint64_t i, std::uint64_t count) {
    const auto columns = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(count)));
    const std::uint64_t rows = (count + columns - 1) / columns;
    const std::uint64_t row = i / columns, along = i % columns;
    const std::uint64_t column = row % 2 == 0 ? along : columns - 1 - along;
    const double x = -54 + 108 * (static_cast<double>(column) + 0.5) / static_cast<double>(columns);
    const double y = -54 + 108 * (static_cast<double>(row) + 0.5) / static_cast<double>(rows);
    const double noise = 0.04 * (uniform(randomBits(1, 0, i)) - 0.5);
    return Vec3d{x, y, terrainHeight(x, y) + noise}.as<float>();
}

constexpr std::uint64_t kSpheres = 40;

/// Point i of `count` points that are distributed over all spheres.
Vec3f spherePoint(std::uint64_t i, std::uint64_t count) {
    const std::uint64_t sphere = i * kSpheres / count;
    const std::uint64_t first = (sphere * count + kSpheres - 1) / kSpheres;
    const std::uint64_t size = ((sphere + 1) * count + kSpheres - 1) / kSpheres - first;
    const double x = 100 * (uniform(randomBits(1, 1, sphere)) - 0.5),
                 y = 100 * (uniform(randomBits(1, 2, sphere)) - 0.5);
    const double radius = 0.4 + 1.4 * uniform(randomBits(1, 3, sphere));
    const auto rows = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(size) / 2)) + 1;
    const std::uint64_t columns = (size + rows - 1) / rows;
    const auto polar =
        sinCos(kPi * (static_cast<double>((i - first) / columns) + 0.5) / static_cast<double>(rows));
    const auto around =
        sinCos(2 * kPi * static_cast<double>((i - first) % columns) / static_cast<double>(columns));
    return (Vec3d{x, y, terrainHeight(x, y) + radius} +
            radius * Vec3d{polar.sine * around.cosine, polar.sine * around.sine, polar.cosine})
        .as<float>();
}

/// Fills edge^3 nodes by value(x, y, z), x fastest.
template <class Value>
std::vector<float> makeField(int edge, Value&& value) {
    const auto n = static_cast<std::size_t>(edge);
    std::vector<float> field(n * n * n);
    parallelFor(n * n, 64, {}, [&](std::size_t begin, std::size_t end) {
        for (std::size_t line = begin; line < end; ++line)
            for (std::size_t x = 0; x < n; ++x)
                field[line * n + x] = static_cast<float>(value(x, line % n, line / n));
    });
    return field;
}

/// The gyroid's value at a node, from a table of sines and cosines along an axis.
double gyroid(const std::vector<synth::SinCos>& wave, std::size_t x, std::size_t y, std::size_t z) {
    return wave[x].sine * wave[y].cosine + wave[y].sine * wave[z].cosine + wave[z].sine * wave[x].cosine +
           0.0137;
}
std::vector<synth::SinCos> makeWave(int edge, double period) {
    std::vector<synth::SinCos> wave;
    for (int i = 0; i < edge; ++i)
        wave.push_back(sinCos(2 * kPi / period * i));
    return wave;
}

} // namespace

std::vector<Vec3f> surfaceCloud(std::uint64_t points, PointOrder order) {
    const std::uint64_t terrain = points - points / 4;
    return makeAll(points, [&](std::uint64_t place) {
        const std::uint64_t i = order == PointOrder::scan ? place : shuffledIndex(place, points);
        return i < terrain ? terrainPoint(i, terrain) : spherePoint(i - terrain, points - terrain);
    });
}

std::vector<Vec3f> denseCloud(std::uint64_t points) {
    constexpr std::uint64_t edge = kDenseEdge, cells = edge * edge * edge, occupied = (cells * 4 + 4) / 5;
    return makeAll(points, [&](std::uint64_t i) {
        // The shuffle's first 80 % are the occupied voxels; each round starts at another one of them.
        const std::uint64_t round = i / occupied, visit = (i % occupied + round * 1'000'003) % occupied;
        const std::uint64_t cell = shuffledIndex(visit, cells);
        const Vec3d corner{static_cast<double>(cell % edge), static_cast<double>(cell / edge % edge),
                           static_cast<double>(cell / edge / edge)};
        const auto inside = [&](std::uint64_t axis) { return 0.05 + 0.9 * uniform(randomBits(2, axis, i)); };
        const Vec3d place = corner + Vec3d{inside(0), inside(1), inside(2)};
        return (kDenseMin.as<double>() + place * 0.2).as<float>();
    });
}

std::vector<float> gyroidField(int edge) {
    const auto wave = makeWave(edge, 128);
    return makeField(edge,
                     [&](std::size_t x, std::size_t y, std::size_t z) { return gyroid(wave, x, y, z); });
}

std::vector<float> spheresField(int edge) {
    struct Ball {
        Vec3d centre;
        double radius;
    };
    constexpr std::array<Ball, 6> balls{{{{0.3, 0.3, 0.3}, 0.17},
                                         {{0.7, 0.65, 0.3}, 0.2},
                                         {{0.35, 0.7, 0.65}, 0.21},
                                         {{0.72, 0.3, 0.7}, 0.16},
                                         {{0.55, 0.5, 0.5}, 0.13},
                                         {{0.2, 0.5, 0.8}, 0.1}}};
    return makeField(edge, [&](std::size_t x, std::size_t y, std::size_t z) {
        const Vec3d p = (Vec3d{double(x), double(y), double(z)} + Vec3d{0.5, 0.5, 0.5}) / double(edge);
        double nearest = 1e30;
        for (const Ball& ball : balls)
            nearest = std::min(nearest, norm(p - ball.centre) - ball.radius);
        return nearest * edge;
    });
}

std::vector<float> painterGrid() {
    const auto wave = makeWave(kDenseEdge, 64);
    return makeField(kDenseEdge, [&](std::size_t x, std::size_t y, std::size_t z) {
        const Vec3d p = Vec3d{double(x), double(y), double(z)} - Vec3d{63.5, 63.5, 63.5};
        return norm(p) < 47 && gyroid(wave, x, y, z) > 0 ? 1.0 : 0.0;
    });
}

} // namespace scanloupe::test
