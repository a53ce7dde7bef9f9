// The scenes that benchmarks share have the sizes for which their figures were published.
#include "tests/support/bench_scenes.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// Number of occupied voxels in the range.
std::size_t occupiedVoxels(const std::vector<Vec3f>& points, Vec3f low, Vec3f high, Vec3f voxel) {
    std::vector<std::uint64_t> keys;
    for (const Vec3f& p : points) {
        const bool inside =
            p.x >= low.x && p.y >= low.y && p.z >= low.z && p.x < high.x && p.y < high.y && p.z < high.z;
        if (!inside)
            continue;
        const Vec3f cell = (p - low) / voxel;
        keys.push_back(std::uint64_t(cell.x) << 42 | std::uint64_t(cell.y) << 21 | std::uint64_t(cell.z));
    }
    std::ranges::sort(keys);
    return std::size_t(std::unique(keys.begin(), keys.end()) - keys.begin());
}

/// Fraction of the lattice's cells with corners on both sides of `iso`.
double activeShare(const std::vector<float>& field, int edge, float iso) {
    const auto n = std::size_t(edge);
    std::size_t active = 0;
    for (std::size_t z = 0; z + 1 < n; ++z)
        for (std::size_t y = 0; y + 1 < n; ++y)
            for (std::size_t x = 0; x + 1 < n; ++x) {
                int above = 0;
                for (std::size_t c = 0; c < 8; ++c)
                    above += field[((z + c / 4) * n + y + c / 2 % 2) * n + x + c % 2] > iso ? 1 : 0;
                active += above != 0 && above != 8 ? 1 : 0;
            }
    return double(active) / double((n - 1) * (n - 1) * (n - 1));
}

QByteArray text(double value) {
    return QByteArray::number(value, 'g', 10);
}

} // namespace

class TestSynthBench : public QObject {
    Q_OBJECT

private slots:
    void theShuffleIsABijection() {
        for (const std::uint64_t count : {1ULL, 2ULL, 3ULL, 1'000ULL, 4'096ULL, 100'003ULL}) {
            std::vector<bool> seen(count);
            std::uint64_t fixed = 0;
            for (std::uint64_t i = 0; i < count; ++i) {
                const std::uint64_t place = shuffledIndex(i, count);
                QVERIFY(place < count && !seen[place]);
                seen[place] = true;
                fixed += place == i ? 1 : 0;
            }
            if (count >= 1'000)
                QVERIFY(fixed < 12);
        }
    }

    void theSurfaceFillsAsManyVoxelsAsPublished() {
        const auto points = surfaceCloud(1'000'000, PointOrder::scan);
        const auto cubes = occupiedVoxels(points, kSurfaceMin, kSurfaceMax, {0.2F, 0.2F, 0.2F});
        const auto flat = occupiedVoxels(points, kSurfaceMin, kSurfaceMax, {0.075F, 0.075F, 0.2F});
        qInfo("surface, 1 M points: %zu voxels of 0.2 m, %zu of 0.075 x 0.075 x 0.2 m", cubes, flat);
        QVERIFY2(std::abs(double(cubes) / 343'000 - 1) < 0.1, text(double(cubes)));
        QVERIFY2(std::abs(double(flat) / 780'000 - 1) < 0.1, text(double(flat)));
        for (const Vec3f& p : points) {
            QVERIFY(p.x >= kSurfaceMin.x && p.x < kSurfaceMax.x && p.y >= kSurfaceMin.y &&
                    p.y < kSurfaceMax.y);
            QVERIFY(p.z >= kSurfaceMin.z && p.z < 4);
        }
        // In scan order, consecutive points are close to each other.
        std::size_t jumps = 0;
        for (std::size_t i = 1; i < points.size(); ++i)
            jumps += norm(points[i] - points[i - 1]) > 0.5F ? 1 : 0;
        QVERIFY2(jumps < 5'000, text(double(jumps)));
    }

    void theShuffledSurfaceHasTheSamePoints() {
        auto scan = surfaceCloud(50'000, PointOrder::scan),
             shuffled = surfaceCloud(50'000, PointOrder::shuffled);
        QVERIFY(scan != shuffled);
        const auto before = [](const Vec3f& a, const Vec3f& b) {
            return std::tuple(a.x, a.y, a.z) < std::tuple(b.x, b.y, b.z);
        };
        std::ranges::sort(scan, before);
        std::ranges::sort(shuffled, before);
        QVERIFY(scan == shuffled);
    }

    void theDenseCloudFillsFourFifths() {
        constexpr Vec3f voxel{kDenseVoxel, kDenseVoxel, kDenseVoxel};
        QCOMPARE(occupiedVoxels(denseCloud(500'000), kDenseMin, kDenseMax, voxel), std::size_t{500'000});
        QCOMPARE(occupiedVoxels(denseCloud(2'000'000), kDenseMin, kDenseMax, voxel), std::size_t{1'677'722});
    }

    void theFieldsHaveTheirPublishedSurfaces() {
        const auto gyroid = gyroidField(128);
        QCOMPARE(gyroid.size(), std::size_t{128 * 128 * 128});
        const double share = activeShare(gyroid, 128, 0);
        qInfo("gyroid: %.2f %% of the cells carry surface", 100 * share);
        QVERIFY2(share > 0.037 && share < 0.039, text(share));
        QVERIFY(std::abs(gyroid[0] - 0.0137F) < 1e-6F);
        // x is the fastest index: this node is a quarter of a period along x
        QVERIFY(std::abs(gyroid[32] - 1.0137F) < 1e-5F);

        const auto spheres = spheresField(64);
        const auto [low, high] = std::ranges::minmax(spheres);
        QVERIFY(std::abs(low + 0.21F * 64) < 1 && high > 20);
        QVERIFY(activeShare(spheres, 64, 0) > 0.01);

        const auto painter = painterGrid();
        QVERIFY(std::ranges::all_of(painter, [](float v) { return v == 0 || v == 1; }));
        const double inside = double(std::ranges::count(painter, 1.0F)) / double(painter.size());
        // about two triangles per active cell
        const double triangles = activeShare(painter, 128, 0.5F) * 127 * 127 * 127 * 2;
        qInfo("painter: %.1f %% inside, about %.0f triangles", 100 * inside, triangles);
        QVERIFY2(std::abs(triangles / 106'000 - 1) < 0.1, text(triangles));
    }

    void theBumpyMeshIsClosedAndFacesOutwards() {
        for (const int n : {1, 2, 7, 91}) {
            const BenchMesh mesh = bumpyMesh(n);
            QCOMPARE(mesh.indices.size(), std::size_t(36 * n * n));
            QCOMPARE(mesh.positions.size(), std::size_t(6 * n * n + 2));
            std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
            std::size_t tilted = 0;
            for (std::size_t t = 0; t < mesh.indices.size(); t += 3) {
                const std::uint32_t corners[3] = {mesh.indices[t], mesh.indices[t + 1], mesh.indices[t + 2]};
                for (int c = 0; c < 3; ++c)
                    ++edges[{corners[c], corners[(c + 1) % 3]}];
                const Vec3f a = mesh.positions[corners[0]], b = mesh.positions[corners[1]],
                            c = mesh.positions[corners[2]];
                const Vec3f face = cross(b - a, c - a);
                QVERIFY(dot(face, a + b + c) > 0);
                tilted += dot(normalized(face), mesh.normals[corners[0]]) < 0.9F ? 1 : 0;
            }
            for (const auto& [edge, count] : edges) {
                QCOMPARE(count, 1);
                QVERIFY(edges.contains({edge.second, edge.first}));
            }
            if (n == 91)
                QVERIFY2(double(tilted) < 0.01 * 36 / 3 * n * n, text(double(tilted)));
        }
        Vec3d middle;
        const auto points = bumpyPoints(10'000);
        for (const Vec3f& p : points) {
            QVERIFY(norm(p) > 0.93F && norm(p) < 1.07F);
            middle += p.as<double>() / 10'000;
        }
        QVERIFY2(norm(middle) < 0.02, text(norm(middle)));
    }

    void theLargeTrianglesCoverTheView() {
        const BenchMesh mesh = largeTriangles();
        QCOMPARE(mesh.indices.size(), std::size_t{300});
        const Camera camera = benchCamera();
        const Vec3d forward = normalized(camera.target - camera.eye),
                    right = normalized(cross(forward, camera.up));
        const Vec3d up = cross(right, forward);
        for (std::size_t t = 0; t < 300; t += 3) {
            double x[3], y[3];
            for (std::size_t c = 0; c < 3; ++c) {
                const Vec3d ray = mesh.positions[t + c].as<double>() - camera.eye;
                const double depth = dot(ray, forward);
                QVERIFY2(depth >= 0.99 && depth <= 3.01, text(depth));
                x[c] = dot(ray, right) / depth / std::tan(camera.verticalFov / 2);
                y[c] = dot(ray, up) / depth / std::tan(camera.verticalFov / 2);
            }
            const double area = 0.5 * std::abs((x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]));
            QVERIFY2(area > 2, text(area)); // a square picture has an area of 4
        }
    }
};

SCANLOUPE_TEST(TestSynthBench)
#include "test_synth_bench.moc"
