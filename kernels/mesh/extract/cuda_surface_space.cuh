#pragma once
// Declares the owner of an extraction's device memory.
#include "kernels/core/buffer.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/extract/cuda_surface.cuh"

namespace scanloupe::cuda {

/// Working memory of all steps for one field: 0.6 KB per brick.
class SurfaceSpace {
public:
    /// Allocates the memory; finds the neighbours of bricks unless the field is dense. @throws KernelError
    SurfaceSpace(const ScalarField& field, StreamView stream);

    /// Returns the arguments for kernels, without the output mesh. @param field the field this object was
    /// constructed for
    SurfaceWork work(const ScalarField& field);
    /// Copies the iso-value to the device. Asynchronous.
    void setIso(float iso, StreamView stream);
    /// Reads the counts from the device. @note Synchronizes.
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

/// Checks the iso-value. @throws KernelError for NaN
void requireIso(float iso);
/// Allocates memory for a mesh of this size. @throws KernelError
TriangleMesh emptyMesh(std::uint64_t vertices, std::uint64_t triangles, StreamView stream);
/// Sets `mesh` as the output of the kernels.
void writeTo(TriangleMesh& mesh, SurfaceWork& work);

} // namespace scanloupe::cuda
