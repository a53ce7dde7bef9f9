// Voxelizes points on the device if its memory allows, else on the host.
#include "engine/stages/voxelize.h"

#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/graph/held_bytes.h"
#include "engine/graph/memory_check.h"
#include "engine/graph/placement.h"
#include "engine/recipe/coordinate_text.h"
#include "engine/recipe/range_cut.h"
#include "engine/recipe/recipe.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/results/snapshot.h"
#include "engine/results/voxel_attributes.h"
#include "engine/stages/attributes.h"
#include "engine/stages/edit.h"
#include "engine/stages/no_points_left.h"
#include "kernels/cut/cut_points.h"
#include "kernels/voxelize/operators.h"
#include "kernels/voxelize/splice/update_voxels.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace scanloupe {

namespace {

void noPointsInRange(const StageRun& run) {
    const Bounds& bounds = run.cloud->bounds();
    const Recipe& recipe = *run.recipe;
    const Bounds range{*recipe.rangeMin, *recipe.rangeMax};
    if (run.wants(Stage::edit) &&
        run.taken<EditStage>()->removed + run.cloud->notFinite() == run.cloud->size())
        throw NoPointsLeft("Edits have removed all points of the scan.",
                           "Undo the last edit, or hide its layer.");
    if (recipe.section)
        throw EngineError(fmt::format("No point of the scan lies in the section through {}, {:g} thick.",
                                      coordinateText(recipe.section->at, norm(bounds.max - bounds.min)),
                                      recipe.section->thickness),
                          "Move the section, make it thicker, or turn it off (--section=auto).");
    if (recipe.rangeInverted)
        throw EngineError(
            fmt::format("No point of the scan lies outside the range {}.", coordinateText(range)),
            "Choose a smaller range, or keep the points inside it (--range-inverted=off).");
    throw EngineError(
        fmt::format("No point of the scan lies in the range {}.", coordinateText(range)),
        fmt::format("The scan extends from {}: use a range that overlaps it, or an automatic range "
                    "(--range=auto).",
                    coordinateText(bounds)));
}

void oneVoxelOnly(const StageRun& run, std::uint64_t points) {
    const Bounds& bounds = run.cloud->bounds();
    const Vec3d extent = bounds.max - bounds.min;
    const double longest = std::max({extent.x, extent.y, extent.z});
    const std::string what = fmt::format("All {} points in range fall into one voxel.", points);
    if (!(longest > 0))
        throw EngineError(what,
                          "All points have the same position, so there is no surface: use another scan.");
    throw EngineError(what,
                      fmt::format("Use a smaller voxel size (--voxel-size), such as {:.2g}.", longest / 100));
}

VoxelizeParams paramsOf(const StageRun& run) {
    const Recipe& recipe = *run.recipe;
    const Vec3d origin = run.cloud->origin();
    VoxelizeParams params;
    const Bounds bounds = gridBounds(recipe);
    params.rangeMin = (bounds.min - origin).as<float>();
    params.rangeMax = (bounds.max - origin).as<float>();
    params.voxelSize = (*recipe.voxelSize * run.detail.coarsening).as<float>();
    params.maxVoxels = recipe.voxelOrder == VoxelOrder::key ? recipe.maxVoxels : 0; // for the other order,
                                                                                    // keepFirstVoxels()
                                                                                    // limits the number of
                                                                                    // voxels
    params.maxPointsPerVoxel = recipe.maxPointsPerVoxel;
    params.strategy = recipe.voxelStrategy;
    return params;
}

/// Voxelizes the points, and keeps as many voxels as the recipe allows.
VoxelGrid limitedVoxels(const StageRun& run, const KernelPoints& points, MemorySpace space,
                        const VoxelizeParams& params, const Execution& on) {
    VoxelGrid grid = voxelize(points.view(), space, params, on);
    const Recipe& recipe = *run.recipe;
    if (recipe.voxelOrder == VoxelOrder::firstPoint && recipe.maxVoxels > 0)
        keepFirstVoxels(grid, recipe.maxVoxels, on);
    return grid;
}

/// Returns the positions for an incremental update of voxels after edits; empty if the voxels depend on
/// anything else.
PointPlaces placesToFollow(const StageRun& run, const VoxelizeParams& params, const PointCut& cut) {
    const UploadedPoints& points = pointsOf(run);
    const bool isPlain = cut.cutsNothing() && run.recipe->maxVoxels == 0 && params.maxPointsPerVoxel == 0;
    return isPlain && !points.device && points.attributes->stride() == 1 ? placesOf(run) : PointPlaces{};
}

/// Updates the last voxels on the host by what edits have changed since; none if edits have changed too many
/// points.
std::optional<VoxelizedPoints> updatedVoxels(const StageRun& run, const VoxelizeParams& params,
                                             const PointPlaces& places) {
    constexpr std::size_t few = 16; // if more than 1/16 of the points have changed, voxelizing all points is
                                    // faster
    const UploadedPoints& points = pointsOf(run);
    const VoxelizedPoints* last = run.last<VoxelizeStage>();
    if (!last || last->grid.onDevice() || !(last->params == params))
        return std::nullopt;
    const auto changed = changedRows(last->places, places);
    if (!changed || changed->size() > points.host->size() / few)
        return std::nullopt;
    VoxelizedPoints result;
    result.places = places;
    cpu::VoxelUpdate update = cpu::updateVoxels(
        last->grid.host(), points.host->all(run.stop).positions.span(), *changed, params, run.stop);
    result.grid = DeviceOrHost(std::move(update.grid));
    const std::vector<const Attribute*> wanted = attributesLookedAt(*run.recipe, *run.cloud);
    result.attributes = std::make_shared<const VoxelAttributes>(points.attributes, result.grid,
                                                                *last->attributes, update, wanted, run.stop);
    result.params = params;
    return result;
}

/// Checks that the voxels of `points` points, with the attributes that the recipe uses, fit in memory.
/// @throws HostMemoryShort
void requireVoxelizeMemory(const StageRun& run, std::uint64_t points, const VoxelizeParams& params) {
    RunSize size;
    size.points = double(points);
    size.voxels = double(std::min<std::uint64_t>(points, gridShape(params).cellCount()));
    size.attributes = countsLookedAt(*run.recipe, *run.cloud);
    requireFit(run,
               {fmt::format("Voxelizing {} points", points), VoxelizeStage::bytes(size, *run.recipe).peak,
                "Close other programs, or use fewer points or a smaller range (--range)."});
}

bool isTurned(const Recipe& recipe, bool isVolume) {
    return !isVolume && recipe.rangeRotation != 0;
}
bool isInverted(const Recipe& recipe, bool isVolume) {
    return !isVolume && recipe.rangeInverted;
}
bool limitsVoxels(const Recipe& recipe, bool isVolume) {
    return !isVolume && recipe.maxVoxels > 0;
}

} // namespace

StageDeclaration VoxelizeStage::declaration() {
    using enum Stage;
    return {.stage = voxelize,
            .name = "voxelize",
            .isWanted = ofCloud,
            .reads = {{"range"},
                      {"range_rotation", ofCloud},
                      {"range_inverted", ofCloud},
                      {"outer_range", isInverted},
                      {"up", isTurned},
                      {"section", ofCloud},
                      {"voxel_size"},
                      {"max_voxels"},
                      {"voxel_order", limitsVoxels},
                      {"max_points_per_voxel"},
                      {"voxel_strategy"}},
            .takes = {{upload}, {edit}},
            .label = "Voxelize",
            .colour = 0x56b4e9,
            .bySycl = true};
}

void requireSurface(const StageRun& run) {
    const DeviceOrHost<VoxelGrid>& voxels = run.taken<VoxelizeStage>().grid;
    const VoxelStats& stats = voxels->stats;
    if (stats.pointsInRange == 0)
        noPointsInRange(run);
    if (voxels->size() == 1 && stats.pointsInRange > 1 && stats.voxelsDropped == 0)
        oneVoxelOnly(run, stats.pointsInRange);
}

VoxelizedPoints VoxelizeStage::compute(const StageRun& run) {
    const UploadedPoints& points = pointsOf(run);
    const VoxelizeParams params = paramsOf(run);
    const PointCut cut = pointCut(*run.recipe, run.cloud->origin());
    requireVoxelizeMemory(run, points.host->size(), params);
    PointPlaces places = placesToFollow(run, params, cut);
    if (std::optional<VoxelizedPoints> updated = updatedVoxels(run, params, places))
        return *std::move(updated);
    DeviceOrHost<VoxelGrid> voxels = onDeviceOrHost(run, true, [&](const Execution& on) {
        const bool isThere = on.onDevice() && points.device;
        if (!isThere && points.host->bytes() == 0)
            requireHostPointsMemory(run, points.host->size());
        const MemorySpace space = isThere ? MemorySpace::device : MemorySpace::host;
        const KernelPoints& all = isThere ? *points.device : points.host->all(on.stop);
        if (cut.cutsNothing())
            return limitedVoxels(run, all, space, params, on);
        if (!isThere)
            requireHostPointsMemory(run, all.positions.size());
        const KernelPoints kept{
            cutPoints({all.positions.data(), all.positions.size()}, cut, isThere ? on : on.onHost())};
        return limitedVoxels(run, kept, space, params, on);
    });
    auto attributes = std::make_shared<const VoxelAttributes>(points.attributes, voxels);
    return {std::move(voxels), std::move(attributes), std::move(places), params};
}

void VoxelizeStage::describe(StageTiming& timing, const StageRun& run, const Result& result) {
    const DeviceOrHost<VoxelGrid>& voxels = result.grid;
    const VoxelStats& stats = voxels->stats;
    timing.why = voxels->strategy.why;
    // SYCL has no kernels for a limit of points per voxel, for explicit strategies, or for updates after
    // edits.
    const bool isForSycl = run.recipe->maxPointsPerVoxel == 0 && !run.wants(Stage::edit) &&
                           run.recipe->voxelStrategy == VoxelizeStrategy::automatic;
    if (isForSycl)
        describeSyclPlace(timing, run, voxels);
    else
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

void VoxelizeStage::show(Snapshot& snapshot, const Result& voxels) {
    snapshot.voxels = snapshot.shownVoxels = voxels.grid;
    snapshot.attributes = snapshot.shownAttributes = voxels.attributes;
}

StageMemory VoxelizeStage::bytes(const RunSize& size, const Recipe&) {
    constexpr std::uint64_t perVoxel = sizeof(std::uint64_t) + sizeof(std::uint32_t) + 3 * sizeof(float);
    const auto points = std::uint64_t(size.points), voxels = std::uint64_t(size.voxels);
    const AttributeCounts& attributes = size.attributes;
    // 1. Sorting: items and scratch memory, each with a key and an index, and the rank of each point.
    const std::uint64_t sorting = points * (2 * 2 * sizeof(std::uint64_t) + sizeof(std::uint32_t));
    // 2. Averaging of points: their ranks and ids; keys, sums and results of voxels.
    const std::uint64_t averaging = points * 2 * sizeof(std::uint32_t) +
                                    voxels * (4 * sizeof(std::uint64_t) + sizeof(std::uint64_t) + perVoxel);
    // 3. Attributes, one after another: sums and means of numbers; codes of classes, points and scratch
    //    memory sorted by voxel, and the starts of voxels.
    const std::uint64_t held = points * sizeof(std::uint32_t) + voxels * perVoxel +
                               (attributes.numbers + attributes.categories) * voxels * sizeof(float) +
                               attributes.categories * points * sizeof(std::uint32_t);
    std::uint64_t most = attributes.numbers > 0 ? voxels * sizeof(std::uint64_t) : 0;
    if (attributes.categories > 0)
        most = std::max(most, points * 2 * 2 * sizeof(std::uint32_t) + voxels * sizeof(std::uint32_t));
    return {held, std::max({sorting, averaging, held + most})};
}

StageWork VoxelizeStage::work(const RunSize& size, const Recipe&) { // points out of range take little time
    return {"", 0.25 * size.points + 0.75 * size.pointsInRange + 2.5 * size.voxels, 20};
}

void VoxelizeStage::hold(HeldBytes& held, const Result& voxels) {
    held.add(voxels.grid);
}

} // namespace scanloupe
