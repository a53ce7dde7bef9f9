// Cleans up the surface on the host.
#include "engine/stages/clean.h"

#include "engine/graph/held_bytes.h"
#include "engine/graph/memory_check.h"
#include "engine/graph/placement.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "engine/stages/extract.h"
#include "kernels/core/parallel.h"
#include "kernels/mesh/cleanup/mesh_cleanup.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace scanloupe {

namespace {

/// Checks that the clean-up fits in memory. @throws HostMemoryShort
void requireCleanMemory(const StageRun& run, const TriangleMesh& mesh) {
    RunSize size;
    size.extracted = {mesh.vertexCount(), mesh.triangleCount()};
    requireFit(run,
               {fmt::format("Clean-up of {} triangles", mesh.triangleCount()),
                CleanStage::bytes(size, *run.recipe).peak,
                "Turn clean-up off (--min-component-triangles 0 --decimate-to 0), or use a larger voxel size "
                "(--voxel-size)."});
}

} // namespace

StageDeclaration CleanStage::declaration() {
    return {.stage = stage,
            .name = "clean",
            .reads = {{"min_component_triangles"}, {"decimate_to"}},
            .takes = {{Stage::extract}},
            .label = "Clean up",
            .colour = 0xf0e442,
            .onHostAlone = true};
}

bool CleanStage::isWanted(const Recipe& resolved, bool) {
    return resolved.minComponentTriangles > 0 || resolved.decimateTo > 0;
}

CleanStage::Result CleanStage::compute(const StageRun& run) {
    const Recipe& recipe = *run.recipe;
    // the number of triangles of a part is proportional to the inverse square of the voxel size
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

void CleanStage::show(Snapshot& snapshot, const Result& clean) {
    snapshot.mesh = clean->mesh;
    snapshot.cleanUp = {clean, &clean->counts};
}

void CleanStage::note(RunNotes& notes, const Recipe& resolved, const Result& clean) {
    const CleanUp& done = clean->counts;
    const std::size_t left = clean->mesh->triangleCount();
    if (done.removedComponents > 0)
        notes.push_back({.text = fmt::format(
                             "Removed {1} parts with fewer than {0} triangles: {2} triangles.",
                             resolved.minComponentTriangles, done.removedComponents, done.removedTriangles)});
    if (done.trianglesBefore > 0 && left == 0)
        notes.push_back(
            {.text = "Clean-up has removed the whole surface: use a smaller value for the smallest part "
                     "(--min-component-triangles).",
             .isWarning = true});
    if (done.cellSize > 0)
        notes.push_back(
            {.text = fmt::format("Decimated from {} to {} triangles: vertices within {:.3g} were merged.",
                                 done.trianglesBefore - done.removedTriangles, left, done.cellSize)});
    if (done.branchingBefore > 0)
        notes.push_back(
            {.text = fmt::format("The surface had {} non-manifold edges; decimation has split them.",
                                 done.branchingBefore)});
    else if (done.partedEdges > 0)
        notes.push_back({.text = fmt::format("Decimation would have created {} non-manifold edges; they were "
                                             "split.",
                                             done.partedEdges)});
    if (!done.reachedTarget)
        notes.push_back({.text = fmt::format("The surface can't be decimated below {} triangles.", left),
                         .isWarning = true});
}

StageMemory CleanStage::bytes(const RunSize& size, const Recipe& resolved) {
    const MeshSize& mesh = size.extracted;
    const std::uint64_t decimateTo = resolved.decimateTo;
    // for both steps: one parent, size or cube per vertex, the new indices of the vertices, and the new mesh
    std::uint64_t bytes = mesh.vertices * (2 * sizeof(std::uint32_t) + 2 * sizeof(std::uint64_t)) +
                          mesh.triangles * sizeof(std::uint64_t) + mesh.bytes();
    if (decimateTo > 0) {
        // corners of triangles by cluster, and the triangles at each cluster
        bytes += mesh.triangles * 3 * (sizeof(std::uint32_t) + sizeof(std::uint64_t));
        // sorted half-edges of the coarse mesh, with their opposites and fans
        bytes += std::min(decimateTo, mesh.triangles) * 3 * (2 * sizeof(KeyIndex) + 16);
    }
    return {mesh.bytes(), bytes};
}

StageWork CleanStage::work(const RunSize& size, const Recipe& resolved) {
    return {resolved.decimateTo > 0 ? "decimated" : "", double(size.extracted.triangles), 60};
}

void CleanStage::hold(HeldBytes& held, const Result& clean) {
    held.add(clean->mesh);
}

} // namespace scanloupe
