#pragma once
// Declares the intermediate results of a surface on the CPU that the next one reuses. Editing by hand changes
// few voxels, so most bricks stay valid.
#include "kernels/mesh/core/shared_mesh.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/extract/surface_masks.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe::cpu {

/// Intermediate results between field and surface.
struct SurfaceTrace {
    Buffer<std::uint64_t> keys; ///< [B] keys of the field's bricks
    SurfaceMasks masks;
    Buffer<std::uint64_t> vertex, triangle;       ///< [B] index of the first of each brick
    std::vector<std::uint8_t> zeroAreaCandidates; ///< [B] 1 if a triangle may have no area
    SharedMesh shared; ///< parts shared with the earlier surface; empty without one

    std::uint64_t bytes() const;
};

/// An earlier surface, at the same iso-value.
struct PreviousSurface {
    const SurfaceTrace& trace;
    const TriangleMesh& mesh;
    /// Ascending keys of the bricks whose values or cells may differ in the next field, or that only one of
    /// both has.
    std::span<const std::uint64_t> changed;
};

/// Finds the bricks that are the same in an earlier surface and the next one.
class SurfaceMemory {
public:
    SurfaceMemory(const PreviousSurface* earlier, const ScalarField& field,
                  const Buffer<std::uint32_t>& around, const std::stop_token& stop);

    /// The surface to reuse; null without one.
    const PreviousSurface* earlier() const { return m_earlier; }
    /// Whether a brick has the same samples as before; then before() is its index in the earlier trace.
    bool hasSameValues(std::size_t brick) const { return m_earlier && m_state[brick] >= sameValues; }
    /// Whether this also holds for the 26 bricks around it: masks and vertices are the same.
    bool hasSameAround(std::size_t brick) const { return m_earlier && m_state[brick] >= sameAround; }
    /// Whether this also holds for the seven bricks above: triangles are the same except for their ids.
    bool hasSameTriangles(std::size_t brick) const { return m_earlier && m_state[brick] >= sameTriangles; }
    std::uint32_t before(std::size_t brick) const { return m_before[brick]; } ///< kNoBrick: did not exist

private:
    enum State : std::uint8_t { changed, sameValues, sameAround, sameTriangles };
    const PreviousSurface* m_earlier;
    std::vector<std::uint32_t> m_before; ///< [B]
    std::vector<std::uint8_t> m_state;   ///< [B]
};

} // namespace scanloupe::cpu
