#include "tests/bench/voxelize_scenes.h"

#include "kernels/core/error.h"
#include "kernels/core/parallel.h"
#include "kernels/synth/hash.h"
#include "tests/bench/voxelize_cells.h"
#include "tests/support/bench_scenes.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

namespace scanloupe::bench {

namespace {

constexpr std::size_t kGrain = std::size_t{1} << 15;

/// Points with a uniform distribution in the range of the surface scene.
std::vector<Vec3f> randomCloud(std::uint64_t points) {
    std::vector<Vec3f> positions(points);
    parallelFor(points, kGrain, {}, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            for (int axis = 0; axis < 3; ++axis) {
                const auto low = static_cast<double>(test::kSurfaceMin[axis]);
                const auto high = static_cast<double>(test::kSurfaceMax[axis]);
                const double part = synth::uniform(synth::randomBits(21, std::uint64_t(axis), i));
                positions[i][axis] = static_cast<float>(low + part * (high - low));
            }
    });
    return positions;
}

std::vector<float> randomIntensities(std::uint64_t points) {
    std::vector<float> intensities(points);
    parallelFor(points, kGrain, {}, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            intensities[i] = static_cast<float>(synth::uniform(synth::randomBits(22, 0, i)));
    });
    return intensities;
}

struct PointSums {
    std::uint64_t levels = 0;
    Vec3d positions;
};

} // namespace

SceneRange sceneRange(const std::string& scene) {
    if (scene == "dense")
        return {test::kDenseMin, test::kDenseMax};
    return {test::kSurfaceMin, test::kSurfaceMax};
}

HostCloud makeCloud(const std::string& scene, const std::string& order, std::uint64_t points) {
    HostCloud cloud;
    if (scene == "dense")
        cloud.positions = test::denseCloud(points);
    else if (order == "random")
        cloud.positions = randomCloud(points);
    else
        cloud.positions = test::surfaceCloud(points, order == "shuffled" ? test::PointOrder::shuffled
                                                                         : test::PointOrder::scan);
    cloud.intensities = randomIntensities(points);
    return cloud;
}

HostCloud readFrame(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), {});
    if (!in || bytes.empty() || bytes.size() % sizeof(Point4) != 0)
        throw KernelError("'" + file.string() + "' is no file of float32 x, y, z, intensity",
                          "Give --frame a KITTI scan (.bin).");
    HostCloud cloud;
    cloud.intensityMax = 0;
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(Point4)) {
        float values[4];
        std::copy_n(bytes.data() + at, sizeof values, reinterpret_cast<char*>(values));
        cloud.positions.push_back({values[0], values[1], values[2]});
        cloud.intensities.push_back(values[3]);
        cloud.intensityMax = std::max(cloud.intensityMax, values[3]);
    }
    return cloud;
}

Vec3f parseVoxelSize(const std::string& text) {
    std::istringstream in(text);
    Vec3f size;
    char cross = 0;
    in >> size.x;
    if (in.eof())
        return {size.x, size.x, size.x};
    in >> cross >> size.y >> cross >> size.z;
    if (in.fail() || !in.eof())
        throw KernelError("'" + text + "' is no voxel size", "Write metres: 0.2 or 0.075x0.075x0.2.");
    return size;
}

Histogram referenceOf(std::span<const Vec3f> positions, const VoxelCells& cells) {
    std::vector<std::uint32_t> counts(cells.shape.cellCount());
    const PointSums sums = parallelReduce(
        positions.size(), kGrain, {}, PointSums{},
        [&](std::size_t begin, std::size_t end) {
            PointSums part;
            for (std::size_t i = begin; i < end; ++i) {
                const std::uint32_t cell = cellIndex(cells, positions[i]);
                if (cell == kNoCell)
                    continue;
                std::atomic_ref(counts[cell]).fetch_add(1, std::memory_order_relaxed);
                part.levels += levelInCell(cells, positions[i]);
                part.positions += positions[i].as<double>();
            }
            return part;
        },
        [](const PointSums& a, const PointSums& b) {
            return PointSums{a.levels + b.levels, a.positions + b.positions};
        });
    Histogram histogram = parallelReduce(
        counts.size(), kGrain, {}, Histogram{},
        [&](std::size_t begin, std::size_t end) {
            Histogram part;
            for (std::size_t cell = begin; cell < end; ++cell)
                if (counts[cell] != 0) {
                    part.voxels += 1;
                    part.counted += counts[cell];
                    part.checksum += cellChecksum(cell, counts[cell]);
                }
            return part;
        },
        [](const Histogram& a, const Histogram& b) {
            Histogram sum;
            sum.voxels = a.voxels + b.voxels;
            sum.counted = a.counted + b.counted;
            sum.checksum = a.checksum + b.checksum;
            return sum;
        });
    histogram.levels = sums.levels;
    histogram.centre = sums.positions / static_cast<double>(std::max<std::uint64_t>(histogram.counted, 1));
    return histogram;
}

std::string difference(const Histogram& found, const Setting& setting) {
    const Histogram& wanted = setting.reference;
    if (found.voxels != wanted.voxels)
        return fmt::format("{} voxels, not {}", found.voxels, wanted.voxels);
    if (found.counted != wanted.counted)
        return fmt::format("{} points counted, not {}", found.counted, wanted.counted);
    if (found.checksum != wanted.checksum)
        return "other counts in some voxels";
    if (found.levels && *found.levels != *wanted.levels)
        return fmt::format("levels of {}, not {}", *found.levels, *wanted.levels);
    if (found.centre)
        for (int axis = 0; axis < 3; ++axis)
            if (const double off = std::abs((*found.centre)[axis] - (*wanted.centre)[axis]);
                !(off <= setting.centreError))
                return fmt::format("the centre of all points is off by {:.3f} m", off);
    return {};
}

} // namespace scanloupe::bench
