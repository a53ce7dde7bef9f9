// Converts points, and copies them to the device if its memory allows.
#include "engine/stages/upload.h"

#include "engine/stages/placement.h"
#include "kernels/core/device.h"

#include <algorithm>

namespace scanloupe {

namespace {

/// Whether the points and the workspace of voxelization fit on the device, for the largest possible number of
/// voxels. A limit of points a voxel needs the radix sort, which can't work in pieces and is always tried.
bool pointsFitDevice(const RunContext& run, const KernelPoints& points) {
    const std::uint64_t free = run.deviceMemoryLimit > 0 ? run.deviceMemoryLimit : probeDevice().freeBytes;
    std::uint64_t bytes = points.positions.bytes() + points.positions.size() * sizeof(std::uint32_t);
    for (const FeatureView& feature : points.features)
        bytes += points.positions.size() *
                 (feature.type == FeatureView::Type::float32 ? sizeof(float) : sizeof(double));
    bytes += points.codes.size() * points.positions.size() * sizeof(std::uint32_t);
    const Recipe& recipe = *run.recipe;
    const bool sorts = recipe.maxPointsPerVoxel > 0 || recipe.voxelStrategy == VoxelizeStrategy::radixSort;
    if (sorts)
        bytes += points.positions.size() * 40; // keys, order and their copies, ranks, starts
    const Vec3d extent = *recipe.rangeMax - *recipe.rangeMin, size = *recipe.voxelSize;
    const double cells = (extent.x / size.x + 1) * (extent.y / size.y + 1) * (extent.z / size.z + 1);
    const std::size_t perVoxel = 80 + (3 + points.features.size()) * 12 + // sums, keys, counts, means
                                 points.codes.size() * sizeof(std::uint32_t);
    bytes += static_cast<std::uint64_t>(std::min(double(points.positions.size()), cells) * double(perVoxel));
    bytes += static_cast<std::uint64_t>(std::min(cells, 3e8) * 0.4); // bits and ranks
    return bytes <= free || recipe.maxPointsPerVoxel > 0;
}

} // namespace

UploadedPoints UploadStage::compute(const StageRun& run) {
    UploadedPoints points;
    points.host = std::make_shared<const KernelPoints>(uploadToHost(*run.cloud, run.detail.stride, run.stop));
    if (!run.stream)
        return points;
    run.stream->view().synchronize(); // memory that was freed on it is available afterwards
    // without a copy they are copied and voxelized in pieces
    points.device = orOnHost(executionOf(run, pointsFitDevice(run, *points.host)),
                             [&](const Execution& on) -> std::shared_ptr<const KernelPoints> {
                                 return on.onDevice() ? std::make_shared<const KernelPoints>(
                                                            uploadToDevice(*points.host, *on.device))
                                                      : nullptr;
                             });
    run.stream->view().synchronize();
    return points;
}

void UploadStage::describe(StageTiming& timing, const StageRun&, const Result& points) {
    timing.backend = points.device ? "cuda" : "cpu";
    timing.bytes = points.host->bytes() + (points.device ? points.device->bytes() : 0);
    timing.counts = {{"points", points.host->positions.size()},
                     {"attributes", points.host->features.size() + points.host->categories.size()}};
}

} // namespace scanloupe
