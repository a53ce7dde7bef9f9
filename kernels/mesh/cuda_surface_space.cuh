#pragma once
// The device memory of an extraction.
#include "kernels/core/buffer.h"
#include "kernels/mesh/cuda_surface.cuh"
#include "kernels/mesh/triangle_mesh.h"

namespace scanloupe::cuda {

/// What the steps work in, for one field: 0.6 KB a brick.
class SurfaceSpace {
public:
    /// Finds neighbours, unless all bricks are there. @throws KernelError
    SurfaceSpace(const ScalarField& field, StreamView stream);

    /// For kernels; without a mesh to write to. @param field the one that this was made for
    SurfaceWork work(const ScalarField& field);
    /// Where the iso-value is read. Asynchronous.
    void setIso(float iso, StreamView stream);
    /// What was counted. @note Synchronizes.
    SurfaceCounts readCounts(StreamView stream) const;

private:
    bool m_allBricks;
    Buffer<std::uint32_t> m_neighbours, m_inside, m_known, m_firstVertex, m_states, m_finishedBlocks;
    Buffer<std::uint8_t> m_signs;
    Buffer<std::uint32_t> m_isZeroAreaCandidate, m_zeroAreaCandidates;
    Buffer<LongWord> m_firstTriangle;
    Buffer<HalfSlice> m_edges;
    Buffer<Word> m_active;
    Buffer<SideRows> m_sides;
    Buffer<BrickCounts> m_counts;
    Buffer<BrickEntry> m_list;
    Buffer<SurfaceSums> m_aggregates, m_inclusivePrefixes;
    Buffer<SurfaceCounts> m_totals;
    Buffer<float> m_iso, m_noSamples;
};

/// @throws KernelError for NaN
void requireIso(float iso);
/// Memory for a mesh of this size. @throws KernelError
TriangleMesh emptyMesh(std::uint64_t vertices, std::uint64_t triangles, StreamView stream);
/// Lets kernels write to `mesh`.
void writeTo(TriangleMesh& mesh, SurfaceWork& work);

} // namespace scanloupe::cuda
