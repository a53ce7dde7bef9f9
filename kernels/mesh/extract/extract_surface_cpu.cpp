// Extracts the iso-surface of a field by marching cubes on the CPU.
#include "kernels/core/parallel.h"
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/mesh/core/mesh_limits.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/extract/brick_mesher.h"
#include "kernels/mesh/extract/surface_masks.h"

#include <bit>
#include <cmath>

namespace scanloupe {

namespace cpu {
namespace {

/// Result of step 2: offsets of each brick's vertices and triangles, and their totals.
struct Offsets {
    Buffer<std::uint64_t> vertex, triangle; // [B] index of each brick's first vertex and first triangle
    std::uint64_t vertices = 0, triangles = 0;
};

Offsets scan(const SurfaceMasks& masks) {
    Offsets offsets;
    const auto scanned = [](const Buffer<std::uint32_t>& counts, std::uint64_t& total) {
        auto sums = Buffer<std::uint64_t>::host(counts.size());
        for (std::size_t i = 0; i < counts.size(); ++i)
            sums[i] = counts[i];
        total = exclusiveScan(sums.span());
        return sums;
    };
    offsets.vertex = scanned(masks.vertices, offsets.vertices);
    offsets.triangle = scanned(masks.triangles, offsets.triangles);
    requireIndexable(offsets.vertices, offsets.triangles);
    return offsets;
}

/// Step 3: returns the bricks that contain surface, in order.
std::vector<ActiveBrick> compact(const SurfaceMasks& masks, const Offsets& offsets,
                                 Buffer<std::uint32_t>& activeIndex, const std::stop_token& stop) {
    static constexpr EdgeMasks none{};
    std::uint32_t count = 0;
    for (std::size_t b = 0; b < activeIndex.size(); ++b)
        activeIndex[b] = masks.vertices[b] + masks.triangles[b] > 0 ? count++ : kNoBrick;
    std::vector<ActiveBrick> active(count);
    parallelFor(activeIndex.size(), 1024, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b) {
            if (activeIndex[b] == kNoBrick)
                continue;
            ActiveBrick& brick = active[activeIndex[b]];
            brick.brick = static_cast<std::uint32_t>(b);
            brick.firstVertex = offsets.vertex[b];
            brick.firstTriangle = offsets.triangle[b];
            brick.edges = masks.vertices[b] > 0 ? &masks.edges[b] : &none;
            int before = 0;
            for (std::size_t word = 0; word < brick.before.size(); ++word) {
                brick.before[word] = static_cast<std::uint16_t>(before);
                before += std::popcount((*brick.edges)[word / kBrickEdge][word % kBrickEdge]);
            }
        }
    });
    return active;
}

/// Counts the triangles without area, only in bricks that may have some. Uses double precision, where the
/// products are exact.
std::uint64_t countZeroArea(const TriangleMesh& mesh, const SurfacePlan& plan, const std::stop_token& stop) {
    const auto hasNone = [&](std::size_t t) {
        const Vec3d a = mesh.positions[mesh.indices[3 * t]].as<double>();
        const Vec3d b = mesh.positions[mesh.indices[3 * t + 1]].as<double>();
        const Vec3d c = mesh.positions[mesh.indices[3 * t + 2]].as<double>();
        return cross(b - a, c - a) == Vec3d{};
    };
    return parallelReduce(
        plan.bricks.size(), 512, stop, std::uint64_t{0},
        [&](std::size_t begin, std::size_t end) {
            std::uint64_t count = 0;
            for (std::size_t i = begin; i < end; ++i) {
                const ActiveBrick& brick = plan.bricks[i];
                if (plan.zeroAreaCandidates[brick.brick] == 0)
                    continue;
                for (std::uint64_t t = 0; t < plan.masks.triangles[brick.brick]; ++t)
                    count += hasNone(brick.firstTriangle + t);
            }
            return count;
        },
        [](std::uint64_t a, std::uint64_t b) { return a + b; });
}

/// Returns which bricks may have triangles without area, according to an earlier surface. Bricks near a
/// change may not have such triangles any more; therefore candidates are examined again.
std::vector<std::uint8_t> candidatesBefore(const SurfaceMemory& memory, std::size_t bricks) {
    std::vector<std::uint8_t> candidates(bricks);
    for (std::size_t b = 0; memory.earlier() && b < bricks; ++b)
        if (memory.before(b) != kNoBrick)
            candidates[b] = memory.earlier()->trace.zeroAreaCandidates[memory.before(b)];
    return candidates;
}

SharedMesh sharedWith(const SurfaceMemory& memory, const SurfacePlan& plan) {
    SharedMesh shared;
    if (!memory.earlier())
        return shared;
    const SurfaceTrace& then = memory.earlier()->trace;
    const auto add = [](std::vector<SharedRun>& runs, std::uint64_t before, std::uint64_t now,
                        std::uint32_t count) {
        if (count == 0)
            return;
        const auto from = std::uint32_t(before), to = std::uint32_t(now);
        if (!runs.empty() && runs.back().before + runs.back().count == from &&
            runs.back().now + runs.back().count == to)
            runs.back().count += count;
        else
            runs.push_back({from, to, count});
    };
    for (const ActiveBrick& active : plan.bricks) {
        const std::uint32_t b = active.brick, before = memory.before(b);
        if (memory.hasSameAround(b))
            add(shared.vertices, then.vertex[before], active.firstVertex, plan.masks.vertices[b]);
        if (memory.hasSameTriangles(b))
            add(shared.triangles, then.triangle[before], active.firstTriangle, plan.masks.triangles[b]);
    }
    return shared;
}

} // namespace

TriangleMesh extractSurface(const ScalarField& field, float iso, const std::stop_token& stop,
                            const PreviousSurface* earlier, SurfaceTrace* trace) {
    if (std::isnan(iso))
        throw KernelError("the iso-value must be a number (got nan)",
                          "Set an iso-value within the field's range.");
    const WallTimer whole;
    WallTimer step;
    TriangleMesh mesh;
    const auto keys = field.brickKeys.span();
    const auto neighbours = findNeighbours(keys, keys, field.brickDims, stop);
    const SurfaceMemory memory(earlier, field, neighbours, stop);
    SurfaceMasks masks = classify(field, iso, neighbours.span(), memory, stop);
    mesh.activeCells = masks.activeCells;
    mesh.classifyMs = step.elapsedMs();

    step = WallTimer();
    Offsets offsets = scan(masks);
    mesh.scanMs = step.elapsedMs();

    step = WallTimer();
    auto activeIndex = Buffer<std::uint32_t>::host(field.brickCount());
    const auto active = compact(masks, offsets, activeIndex, stop);
    mesh.activeBricks = active.size();
    mesh.compactMs = step.elapsedMs();

    step = WallTimer();
    mesh.positions = Buffer<Vec3f>::host(offsets.vertices);
    mesh.normals = Buffer<Vec3f>::host(offsets.vertices);
    mesh.indices = Buffer<std::uint32_t>::host(3 * offsets.triangles);
    std::vector<std::uint8_t> zeroAreaCandidates = candidatesBefore(memory, field.brickCount());
    const SurfacePlan plan{field,
                           iso,
                           masks,
                           neighbours,
                           active,
                           activeIndex,
                           memory,
                           zeroAreaCandidates,
                           zeroAreaReach(field.lattice)};
    parallelFor(active.size(), 32, stop, [&](std::size_t begin, std::size_t end) {
        BrickMesher mesher(plan, mesh);
        for (std::size_t i = begin; i < end; ++i)
            mesher.run(active[i]);
    });
    mesh.zeroAreaTriangles = countZeroArea(mesh, plan, stop);
    mesh.generateMs = step.elapsedMs();
    if (trace) {
        trace->shared = sharedWith(memory, plan);
        trace->keys = hostCopy(keys);
        trace->masks = std::move(masks);
        trace->vertex = std::move(offsets.vertex);
        trace->triangle = std::move(offsets.triangle);
        trace->zeroAreaCandidates = std::move(zeroAreaCandidates);
    }
    mesh.cost.bytes = mesh.bytes();
    mesh.cost.wallMs = whole.elapsedMs();
    return mesh;
}

} // namespace cpu
} // namespace scanloupe
