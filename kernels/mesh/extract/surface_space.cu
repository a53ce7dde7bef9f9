// Allocates the device memory of an extraction, and passes it to the kernels.
#include "kernels/mesh/extract/cuda_surface_space.cuh"
#include "kernels/mesh/extract/surface_element.h"

#include <cmath>

namespace scanloupe::cuda {

SurfaceSpace::SurfaceSpace(const ScalarField& field, StreamView stream) {
    const std::size_t bricks = field.brickCount(), tiles = (bricks + kScanTile - 1) / kScanTile;
    requireIndexableBricks(bricks);
    const auto along = [&](int axis) { return static_cast<std::uint64_t>(field.brickDims[axis]); };
    m_allBricks = bricks % (along(0) * along(1)) == 0 && bricks / (along(0) * along(1)) == along(2);
    if (!m_allBricks)
        m_neighbours = findNeighbours(field.brickKeys, field.brickKeys, field.brickDims, stream);
    const auto make = [&](auto& buffer, std::size_t size) {
        buffer = std::remove_reference_t<decltype(buffer)>::in(MemorySpace::device, size, stream);
    };
    make(m_inside, (bricks + 1) * 16);
    make(m_known, bricks * 16);
    make(m_firstVertex, bricks + 1);
    make(m_firstTriangle, bricks);
    make(m_signs, bricks);
    make(m_isZeroAreaCandidate, (bricks + 3) / 4);
    make(m_zeroAreaCandidates, bricks);
    make(m_edges, (bricks + 1) * kHalfSlices);
    make(m_active, bricks * kBrickEdge);
    make(m_sides, bricks * kBrickEdge);
    make(m_counts, bricks);
    make(m_list, bricks);
    make(m_states, tiles);
    make(m_aggregates, tiles);
    make(m_inclusivePrefixes, tiles);
    make(m_totals, 1);
    make(m_iso, 1);
    make(m_finishedBlocks, 1);
    make(m_noSamples, kBrickNodes);
    const auto fill = [&](auto* from, std::size_t count, int byte) {
        check(cudaMemsetAsync(from, byte, count * sizeof *from, ownStream(stream)), "cudaMemsetAsync");
    };
    fill(m_finishedBlocks.data(), 1, 0);
    fill(m_noSamples.data(), kBrickNodes, 0xff); // 0xff in all bytes is a NaN
    fill(m_inside.data() + bricks * 16, 16, 0);
    fill(m_edges.data() + bricks * kHalfSlices, kHalfSlices, 0);
    fill(m_firstVertex.data() + bricks, 1, 0);
}

SurfaceWork SurfaceSpace::work(const ScalarField& field) {
    return {.bricks = {field.brickKeys.data(), m_allBricks ? nullptr : m_neighbours.data(),
                       static_cast<std::uint32_t>(field.brickCount()), field.brickDims},
            .values = field.values.data(),
            .cellMask = field.cellMask.data(),
            .iso = m_iso.data(),
            .lattice = field.lattice,
            .insideBelow = field.insideBelow,
            .zeroAreaReach = zeroAreaReach(field.lattice),
            .slopes = SlopeScale(field.lattice.spacing),
            .noSamples = m_noSamples.data(),
            .inside = m_inside.data(),
            .known = m_known.data(),
            .signs = m_signs.data(),
            .isZeroAreaCandidate = m_isZeroAreaCandidate.data(),
            .zeroAreaCandidates = m_zeroAreaCandidates.data(),
            .edges = m_edges.data(),
            .active = m_active.data(),
            .sides = m_sides.data(),
            .firstVertex = m_firstVertex.data(),
            .firstTriangle = m_firstTriangle.data(),
            .counts = m_counts.data(),
            .list = m_list.data(),
            .tiles = {m_states.data(), m_aggregates.data(), m_inclusivePrefixes.data()},
            .totals = m_totals.data(),
            .hostTotals = nullptr,
            .finishedBlocks = m_finishedBlocks.data(),
            .positions = nullptr,
            .normals = nullptr,
            .indices = nullptr,
            .vertexCapacity = 0,
            .triangleCapacity = 0};
}

void SurfaceSpace::setIso(float iso, StreamView stream) {
    // the source is pageable memory, so the value is copied before this call returns
    detail::copyBytes(m_iso.data(), MemorySpace::device, &iso, MemorySpace::host, sizeof iso, stream);
}

SurfaceCounts SurfaceSpace::readCounts(StreamView stream) const {
    SurfaceCounts counts{};
    detail::copyBytes(&counts, MemorySpace::host, m_totals.data(), MemorySpace::device, sizeof counts,
                      stream);
    stream.synchronize();
    return counts;
}

void requireIso(float iso) {
    if (std::isnan(iso))
        throw KernelError("the iso-value must be a number (got nan)",
                          "Set an iso-value within the field's range.");
}

TriangleMesh emptyMesh(std::uint64_t vertices, std::uint64_t triangles, StreamView stream) {
    TriangleMesh mesh;
    mesh.positions = Buffer<Vec3f>::in(MemorySpace::device, vertices, stream);
    mesh.normals = Buffer<Vec3f>::in(MemorySpace::device, vertices, stream);
    mesh.indices = Buffer<std::uint32_t>::in(MemorySpace::device, 3 * triangles, stream);
    return mesh;
}

void writeTo(TriangleMesh& mesh, SurfaceWork& work) {
    work.positions = reinterpret_cast<float*>(mesh.positions.data());
    work.normals = reinterpret_cast<float*>(mesh.normals.data());
    work.indices = mesh.indices.data();
    work.vertexCapacity = mesh.vertexCount();
    work.triangleCapacity = mesh.triangleCount();
}

} // namespace scanloupe::cuda
