#include "engine/compute/build_info.h"
#include "engine/io/writers.h"
#include "kernels/core/device.h"
#include "kernels/voxelize/voxelize_pieces.h"
#include "tests/bench/bench.h"
#include "tests/support/surface_cloud.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace scanloupe::bench {

int voxelizePieces(const PiecesOptions& options) {
    const DeviceInfo device = probeDevice();
    if (!device.usable) {
        fmt::print("No cloud goes through a GPU here: {}\n", device.reason);
        return 1;
    }
    const auto points = test::surfaceCloud(std::size_t{options.points}, false);
    const std::vector<float> intensities(points.size(), 0.5f);
    const FeatureView intensity{intensities.data(), ScalarType::float32, 0, 1};
    VoxelizeParams params{{-54, -54, -5}, {54, 54, 3}, {0.2f, 0.2f, 0.2f}};
    params.pointVoxels = false;
    const double bytes = double(points.size()) * (sizeof(Vec3f) + sizeof(float));
    nlohmann::ordered_json json{
        {"gpu", device.name}, {"commit", buildInfo().commit}, {"points", points.size()}, {"rows", {}}};
    fmt::print("{}, commit {}: {} points of 16 bytes in voxels of 0.2 "
               "m\n{:>12}{:>8}{:>10}{:>12}{:>12}{:>10}{:>10}{:>10}\n",
               device.name, buildInfo().commit, points.size(), "piece", "pieces", "voxels", "upload ms",
               "compute ms", "both ms", "total ms", "overlap");
    const Stream stream;
    for (const std::uint64_t size : options.pieceSizes) {
        std::vector<cuda::PieceTimes> runs(std::size_t(std::max(options.repeats, 1)) +
                                           1); // the first run is warm-up
        std::size_t voxels = 0;
        for (auto& times : runs)
            voxels = cuda::voxelizeInPieces({points.data(), points.size(), {&intensity, 1}}, params, size, {},
                                            stream, &times)
                         .size();
        runs.erase(runs.begin());
        std::nth_element(runs.begin(), runs.begin() + std::ptrdiff_t(runs.size() / 2), runs.end(),
                         [](const auto& a, const auto& b) { return a.totalMs < b.totalMs; });
        const cuda::PieceTimes& t = runs[runs.size() / 2];
        fmt::print("{:>12}{:>8}{:>10}{:>12.1f}{:>12.1f}{:>10.1f}{:>10.1f}{:>9.1f}%   {:.1f} GB/s\n", size,
                   t.pieces, voxels, t.uploadMs, t.computeMs, t.bothMs, t.totalMs, 100 * t.overlap(),
                   bytes / t.totalMs * 1e-6);
        json["rows"].push_back({{"piece", size},
                                {"pieces", t.pieces},
                                {"voxels", voxels},
                                {"upload_ms", t.uploadMs},
                                {"compute_ms", t.computeMs},
                                {"both_ms", t.bothMs},
                                {"total_ms", t.totalMs},
                                {"overlap", t.overlap()}});
    }
    if (!options.json.empty())
        writeAtomically(options.json, [&](std::ostream& out) { out << json.dump(2) << '\n'; });
    return 0;
}

} // namespace scanloupe::bench
