// Extracts the surface on the device or on the host, and cleans it up on the host.
#include "engine/stages/surface.h"

#include "engine/recipe/range_cut.h"
#include "engine/stages/field.h"
#include "engine/stages/placement.h"
#include "engine/stages/sculpt.h"
#include "engine/stages/voxelize.h"
#include "kernels/mesh/cleanup/mesh_cleanup.h"
#include "kernels/mesh/operators.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace scanloupe {

namespace {

/// Extracts on the host, and takes over what the last surface has of it.
TriangleMesh extractOnHost(const StageRun& run, const DeviceOrHost<ScalarField>& field, float iso,
                           ExtractedSurface& result) {
    const bool goesOn = run.wants(Stage::sculpt) ||
                        (run.wants(Stage::edit) && run.recipe->field == FieldKind::signedDistance);
    if (!goesOn)
        return cpu::extractSurface(field.host(), iso, run.stop);
    const FieldChange change = fieldChange(run);
    const ExtractedSurface* last = run.last<ExtractStage>();
    std::optional<cpu::EarlierSurface> earlier;
    if (last && last->trace && last->iso == iso && areSame(last->field, change.since)) {
        earlier.emplace(cpu::EarlierSurface{*last->trace, last->mesh.host(), change.bricks});
        result.lastMesh = last->mesh.identity();
    }
    auto trace = std::make_shared<cpu::SurfaceTrace>();
    TriangleMesh mesh =
        cpu::extractSurface(field.host(), iso, run.stop, earlier ? &*earlier : nullptr, trace.get());
    result.trace = std::move(trace);
    result.field = field.identity();
    result.iso = iso;
    return mesh;
}

} // namespace

ExtractedSurface ExtractStage::compute(const StageRun& run) {
    const auto iso = float(*run.recipe->iso);
    const DeviceOrHost<ScalarField>& field = fieldOf(run);
    ExtractedSurface result;
    result.mesh = onDeviceOrHost(run, field.onDevice(), [&](const Execution& on) {
        const ScalarField& input = inputFor(run, field, on);
        const bool onGpu = on.onDevice() || (on.bySycl() && on.sycl->info().isGpu);
        if (!onGpu) // a GPU's own memory tells when it is short
            requireExtractMemory(run, input, on);
        if (on.onDevice() || on.bySycl())
            return extractSurface(input, iso, on);
        return extractOnHost(run, field, iso, result);
    });
    return result;
}

void ExtractStage::describe(StageTiming& timing, const StageRun& run, const Result& surface) {
    const DeviceOrHost<TriangleMesh>& mesh = surface.mesh;
    describeSyclPlace(timing, run, mesh);
    timing.bytes = mesh->bytes() + (surface.trace ? surface.trace->bytes() : 0);
    timing.counts = {{"active_cells", mesh->activeCells},
                     {"vertices", mesh->vertexCount()},
                     {"triangles", mesh->triangleCount()},
                     {"zero_area_triangles", mesh->zeroAreaTriangles}};
    if (!timing.reused)
        timing.steps = {{"classify", mesh->classifyMs},
                        {"scan", mesh->scanMs},
                        {"compact", mesh->compactMs},
                        {"generate", mesh->generateMs}};
}

CleanStage::Result CleanStage::compute(const StageRun& run) {
    const Recipe& recipe = *run.recipe;
    // the number of triangles of a part falls with the square of the voxel size
    const double fewer = run.detail.coarsening * run.detail.coarsening;
    const auto minTriangles = std::uint64_t(std::ceil(double(recipe.minComponentTriangles) / fewer));
    const DeviceOrHost<TriangleMesh>& input = run.taken<ExtractStage>().mesh;
    const TriangleMesh& given = onHost(run, input);
    requireCleanMemory(run, given);
    auto surface = std::make_shared<CleanSurface>();
    surface->mesh = input;
    CleanUp& counts = surface->counts;
    counts.verticesBefore = given.vertexCount();
    counts.trianglesBefore = given.triangleCount();
    if (minTriangles > 0) {
        FilteredMesh sifted = cpu::removeSmallComponents(given, minTriangles, run.stop);
        counts.removedComponents = sifted.removedComponents;
        counts.removedTriangles = sifted.removedTriangles;
        counts.removeMs = sifted.mesh.cost.wallMs;
        surface->mesh = DeviceOrHost(std::move(sifted.mesh));
    }
    const std::uint64_t triangles = surface->mesh->triangleCount();
    if (recipe.decimateTo > 0 && triangles > recipe.decimateTo) {
        DecimatedMesh decimated = cpu::decimate(surface->mesh.host(), recipe.decimateTo, run.stop);
        counts.mergedTriangles = triangles - decimated.mesh.triangleCount();
        counts.partedEdges = decimated.partedEdges;
        counts.branchingBefore = decimated.branchingBefore;
        counts.cellSize = decimated.cellSize;
        counts.reachedTarget = decimated.reachedTarget;
        counts.decimateMs = decimated.mesh.cost.wallMs;
        surface->mesh = DeviceOrHost(std::move(decimated.mesh));
    }
    return surface;
}

void CleanStage::describe(StageTiming& timing, const StageRun& run, const Result& clean) {
    const CleanUp& counts = clean->counts;
    timing.bytes = clean->mesh == run.taken<ExtractStage>().mesh ? 0 : clean->mesh->bytes();
    timing.counts = {{"vertices", clean->mesh->vertexCount()},
                     {"triangles", clean->mesh->triangleCount()},
                     {"zero_area_triangles", clean->mesh->zeroAreaTriangles},
                     {"removed_parts", counts.removedComponents},
                     {"removed_triangles", counts.removedTriangles},
                     {"merged_triangles", counts.mergedTriangles},
                     {"parted_edges", counts.partedEdges}};
    if (!timing.reused)
        timing.steps = {{"remove", counts.removeMs}, {"decimate", counts.decimateMs}};
}

SectionStage::Result SectionStage::compute(const StageRun& run) {
    const Slab slab = pointCut(*run.recipe, run.isVolume() ? Vec3d{} : run.cloud->origin()).slab;
    SurfaceSupport support;
    const bool isOfPoints = !run.isVolume() && !run.wants(Stage::sculpt); // what brushes made has no points
    if (isOfPoints && run.recipe->field == FieldKind::signedDistance) {
        const Vec3d size = *run.recipe->voxelSize;
        const double across = 0.75 * std::max({size.x, size.y, size.z}); // of a mean from the points' surface
        support = {&onHost(run, run.taken<VoxelizeStage>().grid),
                   float(std::abs(run.recipe->iso.value_or(0)) + across)};
    }
    return std::make_shared<const SectionLines>(
        cpu::sectionLines(onHost(run, surfaceOf(run)), {slab.at, slab.normal}, run.stop, support));
}

void SectionStage::describe(StageTiming& timing, const StageRun&, const Result& section) {
    timing.bytes = section->bytes();
    timing.counts = {{"lines", section->lines.size()}};
}

const DeviceOrHost<TriangleMesh>& surfaceOf(const StageRun& run) {
    return run.wants(Stage::clean) ? run.taken<CleanStage>()->mesh : run.taken<ExtractStage>().mesh;
}

} // namespace scanloupe
