#pragma once
// Declares the intermediate results of a surface on the CPU that the next extraction reuses. Manual editing
// changes few voxels, so most bricks stay valid.
#include "kernels/mesh/core/shared_mesh.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/extract/surface_masks.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe::cpu {

/// Intermediate results of extracting a surface from a field.
struct SurfaceTrace {
    Buffer<std::uint64_t> keys; ///< [B] keys of the field's bricks
    SurfaceMasks masks;
    Buffer<std::uint64_t> vertex, triangle; ///< [B] index of each brick's first vertex and first triangle
    std::vector<std::uint8_t> zeroAreaCandidates; ///< [B] 1 if the brick may have a triangle without area
    SharedMesh shared; ///< parts shared with the earlier surface; empty if there is none

    std::uint64_t bytes() const;
};

/// An earlier surface with the same iso-value.
struct PreviousSurface {
    const SurfaceTrace& trace;
    const TriangleMesh& mesh;
    /// Ascending keys of the bricks that only one of the two fields has, or whose values or cells may differ.
    std::span<const std::uint64_t> changed;
};

/// Finds the bricks that are identical in an earlier surface and the next one.
class SurfaceMemory {
public:
    SurfaceMemory(const PreviousSurface* earlier, const ScalarField& field,
                  const Buffer<std::uint32_t>& around, const std::stop_token& stop);

    /// Returns the surface to reuse; null if there is none.
    const PreviousSurface* earlier() const { return m_earlier; }
    /// Returns whether a brick has the same samples as before. In that case, before() is its index in the
    /// earlier trace.
    bool hasSameValues(std::size_t brick) const { return m_earlier && m_state[brick] >= sameValues; }
    /// Returns whether hasSameValues() is true for the brick and the 26 bricks around it. In that case, the
    /// brick's masks and vertices are the same.
    bool hasSameAround(std::size_t brick) const { return m_earlier && m_state[brick] >= sameAround; }
    /// Returns whether hasSameAround() is true for the brick and the seven bricks above it. In that case, the
    /// brick's triangles are the same except for their vertex ids.
    bool hasSameTriangles(std::size_t brick) const { return m_earlier && m_state[brick] >= sameTriangles; }
    /// kNoBrick if the brick did not exist
    std::uint32_t before(std::size_t brick) const { return m_before[brick]; }

private:
    enum State : std::uint8_t { changed, sameValues, sameAround, sameTriangles };
    const PreviousSurface* m_earlier;
    std::vector<std::uint32_t> m_before; ///< [B] index of each brick in the earlier trace
    std::vector<std::uint8_t> m_state;   ///< [B] how much of each brick is unchanged
};

} // namespace scanloupe::cpu
