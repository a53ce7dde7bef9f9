#include "engine/io/common/write/write_options.h"
#include "engine/io/writers.h"
#include "kernels/voxelize/core/voxel_grid.h"
#include "tests/bench/bench.h"
#include "tests/support/surface_cloud.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <optional>

namespace scanloupe::bench {

namespace {

constexpr VoxelizeStrategy kStrategies[] = {VoxelizeStrategy::automatic, VoxelizeStrategy::bitmapRank,
                                            VoxelizeStrategy::brickHash, VoxelizeStrategy::hash,
                                            VoxelizeStrategy::radixSort, VoxelizeStrategy::denseGrid};
constexpr Vec3f kSizes[] = {{0.075f, 0.075f, 0.2f}, {0.2f, 0.2f, 0.2f}, {0.5f, 0.5f, 0.5f}};

template <class T>
bool sameBytes(const Buffer<T>& a, const Buffer<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.bytes()) == 0);
}

/// One row of the table.
struct Measured {
    std::size_t voxels = 0;
    std::string strategy;      // the strategy that was used
    std::vector<double> times; // milliseconds, ascending
};

/// Times a strategy. Empty if it is not applicable. @throws Fault if its voxels differ from those of the sort
std::optional<Measured> measure(const PointsView& points, VoxelizeParams params, const VoxelGrid& reference,
                                int repeats) {
    Measured row;
    try {
        for (int i = 0; i <= repeats; ++i) {
            const VoxelGrid grid = cpu::voxelize(points, params, {});
            if (i > 0) {
                row.times.push_back(grid.cost.wallMs);
                continue;
            }
            if (!sameBytes(grid.keys, reference.keys) || !sameBytes(grid.counts, reference.counts) ||
                !sameBytes(grid.means, reference.means))
                throw Fault(std::string(name(params.strategy)) + " gives other voxels than radix-sort");
            row.voxels = grid.size();
            row.strategy = name(grid.strategy.strategy);
        }
    } catch (const KernelError&) {
        return {};
    }
    std::sort(row.times.begin(), row.times.end());
    return row;
}

bool wanted(const VoxelizeCpuOptions& options, VoxelizeStrategy strategy, Vec3f size) {
    return (options.strategy.empty() || options.strategy == name(strategy)) &&
           (options.voxelSize == 0 || float(options.voxelSize) == size.x);
}

void writeCloud(const std::string& folder, const char* order, std::span<const Vec3f> cloud) {
    std::ofstream file(fmt::format("{}/{}_{}.f32", folder, order, cloud.size()), std::ios::binary);
    file.write(reinterpret_cast<const char*>(cloud.data()), std::streamsize(cloud.size_bytes()));
    if (!file)
        throw Error("the cloud could not be written into " + folder, "Name a folder with enough room.");
}

} // namespace

int voxelizeCpu(const VoxelizeCpuOptions& options) {
    fmt::print("{:>9} {:8} {:>18} {:6} {:12} {:>8} {:>9} {:>9} {:>9}\n", "points", "order", "voxel, m", "ids",
               "strategy", "voxels", "median ms", "min", "max");
    std::string json;
    for (const std::size_t count : options.points) {
        for (const bool shuffled : {false, true}) {
            const auto cloud = test::surfaceCloud(count, shuffled);
            const char* order = shuffled ? "shuffled" : "scan";
            if (!options.cloudFolder.empty())
                writeCloud(options.cloudFolder, order, cloud);
            const PointsView points{cloud.data(), cloud.size(), {}};
            for (const Vec3f size : kSizes) {
                VoxelizeParams params{test::kSurfaceMin, test::kSurfaceMax, size};
                params.strategy = VoxelizeStrategy::radixSort;
                const VoxelGrid reference = cpu::voxelize(points, params, {});
                for (const VoxelizeStrategy strategy : kStrategies) {
                    for (const bool ids : {false, true}) {
                        params.strategy = strategy;
                        params.pointVoxels = ids;
                        if (!wanted(options, strategy, size))
                            continue;
                        const auto row = measure(points, params, reference, options.repeats);
                        if (!row)
                            continue;
                        const double median = row->times[row->times.size() / 2];
                        const auto shown = strategy == VoxelizeStrategy::automatic ? "auto: " + row->strategy
                                                                                   : row->strategy;
                        fmt::print("{:9} {:8} {:>18} {:6} {:18} {:8} {:9.1f} {:9.1f} {:9.1f}\n", count, order,
                                   fmt::format("{:g}x{:g}x{:g}", size.x, size.y, size.z),
                                   ids ? "with" : "none", shown, row->voxels, median, row->times.front(),
                                   row->times.back());
                        json += fmt::format(
                            "{}\n{{\"points\": {}, \"order\": \"{}\", \"voxel_size\": [{:g}, {:g}, {:g}], "
                            "\"strategy\": \"{}\", \"taken\": \"{}\", \"point_voxels\": {}, \"voxels\": {}, "
                            "\"median_ms\": {:.3f}, \"min_ms\": {:.3f}, \"max_ms\": {:.3f}}}",
                            json.empty() ? "" : ",", count, order, size.x, size.y, size.z, name(strategy),
                            row->strategy, ids, row->voxels, median, row->times.front(), row->times.back());
                    }
                }
            }
        }
    }
    if (!options.json.empty())
        writeAtomically(options.json, [&](std::ostream& out) { out << "[" << json << "\n]\n"; });
    return 0;
}

} // namespace scanloupe::bench
