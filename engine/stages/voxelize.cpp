// Voxelizes points on the device if its memory allows, else on the host.
#include "engine/stages/voxelize.h"

#include "engine/cloud/error.h"
#include "engine/recipe/coordinate_text.h"
#include "engine/stages/placement.h"
#include "engine/stages/upload.h"
#include "kernels/voxelize/voxelize_pieces.h"

#include <algorithm>
#include <fmt/format.h>

namespace scanloupe {

namespace {

/// Points a piece of clouds that don't fit into device memory: uploads of 64 MB and more reach the bandwidth
/// of the bus, and two pieces take little memory.
constexpr std::size_t kPieceSize = std::size_t{1} << 22;

/// Computes the most frequent class of each voxel (mode) for a grid on the device: there if the points'
/// classes are on the device and its memory suffices to sort them, as part of the grid's device time; else on
/// the host, followed by a copy. Synchronizes at the end, so that the time is not counted to the next stage.
void addModesOnDevice(const RunContext& run, const KernelPoints& host, const KernelPoints* device,
                      VoxelGrid& grid) {
    const std::size_t count = grid.pointVoxel.size(), voxels = grid.size();
    if (device) {
        try {
            EventTimer timer(*run.stream);
            grid.modes = cuda::mostFrequent({grid.pointVoxel.data(), count, voxels}, device->categoryViews(),
                                            run.stop, *run.stream);
            timer.stop();
            grid.cost.deviceMs += timer.elapsedMs(); // waits for the kernels
            return;
        } catch (const DeviceMemoryShort&) {
            // the host usually has more
        }
    }
    const auto pointVoxel = grid.pointVoxel.copyTo(MemorySpace::host, *run.stream);
    const auto modes = cpu::mostFrequent({pointVoxel.data(), count, voxels}, host.categoryViews(), run.stop);
    grid.modes = modes.copyTo(MemorySpace::device, *run.stream);
    run.stream->view().synchronize(); // the copy reads pageable memory that is freed here
}

void noPointsInRange(const StageRun& run) {
    const Bounds& bounds = run.cloud->bounds();
    const Bounds range{*run.recipe->rangeMin, *run.recipe->rangeMax};
    throw EngineError(fmt::format("No point of the scan lies in the range {}.", coordinateText(range)),
                      fmt::format("The scan reaches from {}: take a range that meets it, or have it chosen "
                                  "from the scan (--range=auto).",
                                  coordinateText(bounds)));
}

void oneVoxelOnly(const StageRun& run, std::uint64_t points) {
    const Bounds& bounds = run.cloud->bounds();
    const Vec3d extent = bounds.max - bounds.min;
    const double longest = std::max({extent.x, extent.y, extent.z});
    const std::string what = fmt::format("All {} points in range fall into one voxel.", points);
    if (!(longest > 0))
        throw EngineError(what, "They all lie at the same place, so there is no surface: take another scan.");
    throw EngineError(
        what, fmt::format("Take a smaller voxel size (--voxel-size), such as {:.2g} m.", longest / 100));
}

VoxelizeParams paramsOf(const StageRun& run) {
    const Recipe& recipe = *run.recipe;
    const Vec3d origin = run.cloud->origin();
    VoxelizeParams params;
    params.rangeMin = (*recipe.rangeMin - origin).as<float>();
    params.rangeMax = (*recipe.rangeMax - origin).as<float>();
    params.voxelSize = (*recipe.voxelSize * run.detail.coarsening).as<float>();
    params.maxVoxels = recipe.maxVoxels;
    params.maxPointsPerVoxel = recipe.maxPointsPerVoxel;
    params.strategy = recipe.voxelStrategy;
    return params;
}

} // namespace

DeviceOrHost<VoxelGrid> VoxelizeStage::compute(const StageRun& run) {
    const auto& [host, device] = run.taken<UploadStage>();
    const KernelPoints& points = *host;
    const VoxelizeParams params = paramsOf(run);
    requireVoxelizeMemory(run, points, params);
    const bool hasClasses = !points.categories.empty();
    const auto onDevice = [&, device = device.get()] {
        VoxelGrid grid = device ? cuda::voxelize(device->view(), params, run.stop, *run.stream)
                                : cuda::voxelizeInPieces(points.view(), params, kPieceSize, run.stop,
                                                         *run.stream, nullptr);
        if (hasClasses)
            addModesOnDevice(run, points, device, grid);
        return grid;
    };
    const auto onCpu = [&] {
        VoxelGrid grid = cpu::voxelize(points.view(), params, run.stop);
        if (hasClasses)
            grid.modes = cpu::mostFrequent({grid.pointVoxel.data(), grid.pointVoxel.size(), grid.size()},
                                           points.categoryViews(), run.stop);
        return grid;
    };
    DeviceOrHost<VoxelGrid> voxels = preferDevice(run, run.stream != nullptr, onDevice, onCpu);
    if (voxels->stats.pointsInRange == 0)
        noPointsInRange(run);
    if (voxels->size() == 1 && voxels->stats.pointsInRange > 1 && voxels->stats.voxelsDropped == 0)
        oneVoxelOnly(run, voxels->stats.pointsInRange);
    return voxels;
}

void VoxelizeStage::describe(StageTiming& timing, const StageRun& run, const Result& voxels) {
    const VoxelStats& stats = voxels->stats;
    timing.why = voxels->strategy.why;
    describePlace(timing, run, voxels);
    timing.method = name(voxels->strategy.strategy);
    timing.bytes = voxels->bytes();
    timing.counts = {{"voxels", voxels->size()},
                     {"points_in_range", stats.pointsInRange},
                     {"points_outside", stats.pointsOutside},
                     {"points_not_finite", stats.pointsNotFinite},
                     {"voxels_dropped", stats.voxelsDropped},
                     {"points_dropped", stats.pointsDroppedWithVoxels + stats.pointsDroppedInVoxels}};
}

} // namespace scanloupe
