// Smooths the surface on the device if it is there, else on the host.
#include "engine/stages/smooth.h"

#include "engine/graph/held_bytes.h"
#include "engine/graph/memory_check.h"
#include "engine/graph/placement.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "engine/stages/surface.h"
#include "kernels/mesh/operators.h"

#include <algorithm>
#include <fmt/format.h>

namespace scanloupe {

namespace {

/// Checks that smoothing fits in memory. @throws HostMemoryShort
void requireSmoothMemory(const StageRun& run, const TriangleMesh& mesh) {
    requireFit(run, {fmt::format("Smoothing of {} triangles", mesh.triangleCount()),
                     mesh.bytes() + smoothingBytes(mesh.vertexCount(), mesh.triangleCount()),
                     "Turn smoothing off (--smooth-steps 0), or use a larger voxel size (--voxel-size)."});
}

} // namespace

StageDeclaration SmoothStage::declaration() {
    return {.stage = stage,
            .name = "smooth",
            .reads = {{"smooth_steps"}, {"smooth_pass_band"}},
            .takes = surfaceStages(nullptr, stage),
            .label = "Smooth",
            .colour = 0x882255};
}

bool SmoothStage::isWanted(const Recipe& resolved, bool) {
    return resolved.smoothSteps > 0;
}

SmoothStage::Result SmoothStage::compute(const StageRun& run) {
    const DeviceOrHost<TriangleMesh>& given = surfaceOf(run, stage);
    const SmoothParams params{run.recipe->smoothSteps, run.recipe->smoothPassBand};
    auto smooth = std::make_shared<SmoothSurface>();
    smooth->mesh = onDeviceOrHost(run, given.onDevice(), [&](const Execution& on) {
        const TriangleMesh& mesh = inputFor(run, given, on);
        if (!on.onDevice()) // allocations on a GPU fail by themselves
            requireSmoothMemory(run, mesh);
        SmoothedMesh smoothed = smoothMesh(mesh, params, on);
        smooth->maxMove = smoothed.maxMove;
        return std::move(smoothed.mesh);
    });
    return smooth;
}

void SmoothStage::describe(StageTiming& timing, const StageRun& run, const Result& smooth) {
    describePlace(timing, run, smooth->mesh);
    if (!surfaceOf(run, stage).onDevice())
        timing.why.clear(); // the surface was already on the host, so no reason is needed
    timing.bytes = smooth->mesh->bytes();
    timing.counts = {{"vertices", smooth->mesh->vertexCount()},
                     {"triangles", smooth->mesh->triangleCount()},
                     {"zero_area_triangles", smooth->mesh->zeroAreaTriangles}};
}

void SmoothStage::show(Snapshot& snapshot, const Result& smooth) {
    snapshot.mesh = smooth->mesh;
}

void SmoothStage::note(RunNotes& notes, const Recipe& resolved, const Result& smooth) {
    if (smooth->mesh->triangleCount() == 0)
        return;
    notes.push_back({.text = fmt::format("Smoothed in {} steps: vertices moved by at most {:.3g}.",
                                         resolved.smoothSteps, smooth->maxMove)});
}

StageMemory SmoothStage::bytes(const RunSize& size, const Recipe&) {
    MeshSize mesh = size.extracted; // clean-up only reduces its size
    const double left = mesh.triangles > 0 ? std::min(1.0, size.triangles / double(mesh.triangles)) : 1;
    mesh.vertices = std::uint64_t(left * double(mesh.vertices));
    mesh.triangles = std::uint64_t(left * double(mesh.triangles));
    return {mesh.bytes(), mesh.bytes() + smoothingBytes(mesh.vertices, mesh.triangles)};
}

StageWork SmoothStage::work(const RunSize& size, const Recipe& resolved) {
    // building the lists of neighbours and the normals takes as long as about ten steps
    return {"", size.triangles * (10 + double(resolved.smoothSteps)), 12};
}

void SmoothStage::hold(HeldBytes& held, const Result& smooth) {
    held.add(smooth->mesh);
}

} // namespace scanloupe
