// Copies points to the device if its memory suffices, else converts them on the host.
#include "engine/stages/upload.h"

#include "engine/cloud/categories.h"
#include "engine/cloud/point_cloud.h"
#include "engine/graph/memory_check.h"
#include "engine/graph/placement.h"
#include "engine/recipe/range_cut.h"
#include "engine/recipe/recipe.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/stages/attributes.h"
#include "kernels/core/device.h"

#include <algorithm>
#include <fmt/format.h>

namespace scanloupe {

namespace {

/// Whether the points, the used attributes and the workspace of voxelization fit in device memory for the
/// largest possible number of voxels. A limit of points per voxel needs the radix sort, which can't process
/// points in pieces, so the device is always tried.
bool pointsFitDevice(const StageRun& run, std::uint64_t points) {
    std::uint64_t bytes = points * (sizeof(Vec3f) + sizeof(std::uint32_t));
    if (!pointCut(*run.recipe, run.cloud->origin()).cutsNothing())
        bytes += points * sizeof(Vec3f); // uploaded points, which stay in memory
    if (run.wants(Stage::edit))
        bytes += points * sizeof(Vec3f); // points after edits
    std::size_t perVoxel = 80 + 3 * 12;  // sums, keys, counts, means
    for (const Attribute* attribute : attributesLookedAt(*run.recipe, *run.cloud)) {
        bytes += points * (isCategorical(*attribute) ? sizeof(std::uint32_t) : sizeOf(attribute->type));
        perVoxel += sizeof(std::uint64_t) + sizeof(float); // a sum, and a mean or a mode
    }
    const Recipe& recipe = *run.recipe;
    const bool sorts = recipe.maxPointsPerVoxel > 0 || recipe.voxelStrategy == VoxelizeStrategy::radixSort;
    if (sorts)
        bytes += points * 40; // keys, order and their copies, ranks, starts
    const Bounds bounds = gridBounds(recipe);
    const Vec3d extent = bounds.max - bounds.min, size = *recipe.voxelSize;
    const double cells = (extent.x / size.x + 1) * (extent.y / size.y + 1) * (extent.z / size.z + 1);
    bytes += static_cast<std::uint64_t>(std::min(double(points), cells) * double(perVoxel));
    bytes += static_cast<std::uint64_t>(std::min(cells, 3e8) * 0.4); // bits and ranks of cells
    constexpr std::uint64_t small = std::uint64_t{64} << 20; // small sizes are always tried, because querying
                                                             // the driver for free memory is slow
    if (recipe.maxPointsPerVoxel > 0 || (bytes <= small && run.deviceMemoryLimit == 0))
        return true;
    return bytes <= (run.deviceMemoryLimit > 0 ? run.deviceMemoryLimit : freeDeviceBytes());
}

/// Returns the points on the host; if a GPU computes with SYCL, in shared memory, since otherwise each run
/// would copy the points to the GPU.
std::shared_ptr<const HostPoints> hostPoints(const StageRun& run) {
    const auto plain = std::make_shared<const HostPoints>(run.cloud, run.detail.stride);
    return orOnHost(executionOf(run, false), [&](const Execution& on) {
        if (!on.bySycl() || !on.sycl->info().isGpu)
            return plain;
        KernelPoints shared{on.sycl->shared(plain->all(on.stop).positions.span())};
        return std::make_shared<const HostPoints>(run.cloud, run.detail.stride, std::move(shared));
    });
}

} // namespace

StageDeclaration UploadStage::declaration() {
    return {.stage = stage, .name = "upload", .isWanted = ofCloud, .label = "Upload", .colour = 0xe69f00};
}

UploadedPoints UploadStage::compute(const StageRun& run) {
    UploadedPoints points;
    points.host = hostPoints(run);
    points.attributes = std::make_shared<const PointAttributes>(run.cloud, run.detail.stride, run.stream);
    if (!run.stream) {
        points.host->all(run.stop);
        return points;
    }
    run.stream->view().synchronize(); // memory that was freed on the stream is available after this
    // without a copy on the device, points are copied and voxelized in pieces
    points.device = orOnHost(executionOf(run, pointsFitDevice(run, points.host->size())),
                             [&](const Execution& on) -> std::shared_ptr<const KernelPoints> {
                                 if (on.onDevice())
                                     return std::make_shared<const KernelPoints>(
                                         points.host->upload(*on.device, on.stop));
                                 points.host->all(on.stop);
                                 return nullptr;
                             });
    run.stream->view().synchronize();
    return points;
}

void UploadStage::describe(StageTiming& timing, const StageRun&, const Result& points) {
    timing.backend = points.device ? "cuda" : "cpu";
    timing.bytes = points.host->bytes() + (points.device ? points.device->positions.bytes() : 0) +
                   points.attributes->bytes();
    timing.counts = {{"points", points.host->size()}};
}

StageMemory UploadStage::bytes(const RunSize& size, const Recipe&) {
    const std::uint64_t coordinates = std::uint64_t(size.points) * sizeof(Vec3f);
    return {coordinates, coordinates};
}

StageWork UploadStage::work(const RunSize& size, const Recipe&) {
    return {"", size.points, 1};
}

void requireHostPointsMemory(const RunContext& run, std::uint64_t points) {
    requireFit(run, {fmt::format("The coordinates of {} points", points), points * sizeof(Vec3f),
                     "Close other programs, or use a scan with fewer points."});
}

} // namespace scanloupe
