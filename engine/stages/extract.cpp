// Extracts the surface on the device or on the host.
#include "engine/stages/extract.h"

#include "engine/graph/held_bytes.h"
#include "engine/graph/memory_check.h"
#include "engine/graph/placement.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "engine/stages/field.h"
#include "engine/stages/points/larger_voxels.h"
#include "engine/stages/sculpt.h"
#include "kernels/mesh/operators.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace scanloupe {

namespace {

/// Suggests a voxel size with which a surface would fit in memory. Its memory is proportional to the inverse
/// square of the voxel size.
std::string fewerCells(const StageRun& run, std::uint64_t bytes) {
    const auto available = std::max<std::uint64_t>(availableMemory(run), 1);
    return takeLargerVoxels(*run.recipe, std::sqrt(double(bytes) / double(available)) * 1.1);
}

/// Estimates the number of cells that the surface crosses, from a part of the bricks.
std::uint64_t crossedCells(const ScalarField& field, float iso) {
    constexpr std::size_t most = 2048; // number of bricks; takes some milliseconds
    constexpr int row = kBrickEdge, layer = kBrickEdge * kBrickEdge;
    const std::size_t stride = std::max<std::size_t>(1, field.brickCount() / most);
    std::uint64_t crossed = 0, looked = 0;
    for (std::size_t b = 0; b < field.brickCount(); b += stride) {
        const float* values = field.values.data() + b * kBrickNodes;
        for (int z = 0; z + 1 < kBrickEdge; ++z)
            for (int y = 0; y + 1 < kBrickEdge; ++y)
                for (int x = 0; x + 1 < kBrickEdge; ++x) {
                    const float* at = values + z * layer + y * row + x;
                    int inside = 0;
                    for (const int corner :
                         {0, 1, row, row + 1, layer, layer + 1, layer + row, layer + row + 1})
                        inside += at[corner] > iso;
                    crossed += inside > 0 && inside < 8;
                }
        ++looked;
    }
    constexpr double cellsOfBrick = kBrickNodes, cellsLookedAt = (row - 1) * (row - 1) * (row - 1);
    constexpr double margin = 1.2; // safety factor, because bricks differ
    return std::uint64_t(double(crossed) * margin * cellsOfBrick / cellsLookedAt *
                         double(field.brickCount()) / double(std::max<std::uint64_t>(looked, 1)));
}

/// Checks that a surface fits in the memory of the host.
/// @throws HostMemoryShort; DeviceMemoryShort with SYCL, so that the extraction falls back to the CPU, which
/// needs less memory
void requireExtractMemory(const StageRun& run, const ScalarField& field, const Execution& on) {
    std::uint64_t cells = 0;
    for (const std::uint64_t word : field.cellMask.span())
        cells += std::uint64_t(std::popcount(word));
    // a closed surface has about one vertex and two triangles per crossed cell
    const auto bytesFor = [&](std::uint64_t crossed) {
        RunSize size;
        size.bricks = double(field.brickCount());
        size.extracted = {crossed, 2 * crossed};
        size.extractedBySycl = on.bySycl();
        return ExtractStage::bytes(size, *run.recipe).peak;
    };
    if (!isMemoryShort(run, bytesFor(cells)))
        return;
    // A signed distance marks exactly the cells that its surface crosses, unless brushes change the field.
    if (field.kind != FieldKind::signedDistance || run.wants(Stage::sculpt))
        cells = std::min(cells, crossedCells(field, float(*run.recipe->iso)));
    const std::uint64_t bytes = bytesFor(cells);
    if (!isMemoryShort(run, bytes))
        return;
    if (on.bySycl())
        throw DeviceMemoryShort(fmt::format("not enough memory for a surface through {} cells", cells),
                                "Use the CPU (--backend cpu).");
    requireFit(run, {fmt::format("A surface through {} cells", cells), bytes,
                     run.volume ? "Close other programs." : fewerCells(run, bytes)});
}

/// Extracts the surface on the host, and reuses unchanged parts of the last surface.
TriangleMesh extractOnHost(const StageRun& run, const DeviceOrHost<ScalarField>& field, float iso,
                           ExtractedSurface& result) {
    const bool isIncremental = run.wants(Stage::sculpt) ||
                               (run.wants(Stage::edit) && run.recipe->field == FieldKind::signedDistance);
    if (!isIncremental)
        return cpu::extractSurface(field.host(), iso, run.stop);
    const FieldChange change = fieldChange(run);
    const ExtractedSurface* last = run.last<ExtractStage>();
    std::optional<cpu::PreviousSurface> earlier;
    if (last && last->trace && last->iso == iso && areSame(last->field, change.since)) {
        earlier.emplace(cpu::PreviousSurface{*last->trace, last->mesh.host(), change.bricks});
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

StageDeclaration ExtractStage::declaration() {
    return {.stage = stage,
            .name = "extract",
            .reads = {{"iso"}},
            .takes = {{Stage::field}, {Stage::sculpt}},
            .label = "Extract",
            .colour = 0x0072b2,
            .bySycl = true};
}

ExtractedSurface ExtractStage::compute(const StageRun& run) {
    const auto iso = float(*run.recipe->iso);
    const DeviceOrHost<ScalarField>& field = fieldOf(run);
    ExtractedSurface result;
    result.mesh = onDeviceOrHost(run, field.onDevice(), [&](const Execution& on) {
        const ScalarField& input = inputFor(run, field, on);
        const bool onGpu = on.onDevice() || (on.bySycl() && on.sycl->info().isGpu);
        if (!onGpu) // allocations on a GPU fail by themselves
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

void ExtractStage::show(Snapshot& snapshot, const Result& surface) {
    snapshot.mesh = surface.mesh;
}

StageMemory ExtractStage::bytes(const RunSize& size, const Recipe&) {
    const MeshSize& mesh = size.extracted;
    const auto bricks = std::uint64_t(size.bricks);
    if (size.extractedBySycl) {
        // per brick: nodes, cells and edges as words of slices; neighbours; two lists of bricks; counts of
        // vertices (as bytes, then as sums), cells and triangles per slice, row and brick
        constexpr std::uint64_t perBrick = 6 * kBrickEdge * sizeof(std::uint64_t) +
                                           29 * sizeof(std::uint32_t) + (3 + 6 + 1) * sizeof(std::uint64_t) +
                                           kBrickEdge * sizeof(std::uint16_t) + kBrickEdge * kBrickEdge + 32;
        // the list of crossed edges, later the list of triangles
        const std::uint64_t list = std::max(mesh.vertices, mesh.triangles) * sizeof(std::uint64_t);
        return {mesh.bytes(), mesh.bytes() + list + bricks * perBrick};
    }
    // per brick: masks of the edges along three axes, counts, offsets, neighbours and the list of active
    // bricks
    constexpr std::uint64_t perBrick =
        3 * kBrickEdge * sizeof(std::uint64_t) + 27 * sizeof(std::uint32_t) + 6 * sizeof(std::uint64_t) + 96;
    return {mesh.bytes(), mesh.bytes() + bricks * perBrick};
}

StageWork ExtractStage::work(const RunSize& size, const Recipe&) { // each brick is scanned
    return {"", double(size.extracted.triangles) + 135 * size.bricks, 12};
}

void ExtractStage::hold(HeldBytes& held, const Result& surface) {
    held.add(surface.mesh);
    if (surface.trace)
        held.add(false, surface.trace->bytes());
}

} // namespace scanloupe
