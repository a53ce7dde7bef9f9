#pragma once
// Declares what a surface was extracted from on the CPU, so that the next one, of nearly the same field,
// takes over what stays the same: while people edit by hand, most of it does.
#include "kernels/mesh/core/shared_mesh.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/extract/surface_masks.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe::cpu {

/// The steps between field and surface.
struct SurfaceTrace {
    Buffer<std::uint64_t> keys; ///< [B] of the field's bricks
    SurfaceMasks masks;
    Buffer<std::uint64_t> vertex, triangle;       ///< [B] the first ones of each brick
    std::vector<std::uint8_t> zeroAreaCandidates; ///< [B] 1 where a triangle may have no area
    SharedMesh shared;                            ///< with the earlier surface; empty without one

    std::uint64_t bytes() const;
};

/// An earlier surface, at the same iso-value.
struct EarlierSurface {
    const SurfaceTrace& trace;
    const TriangleMesh& mesh;
    /// Ascending keys of the bricks whose values or cells may be others in the next field, or that only one
    /// of both has.
    std::span<const std::uint64_t> changed;
};

/// Tells what stays the same between an earlier surface and the next one.
class SurfaceMemory {
public:
    SurfaceMemory(const EarlierSurface* earlier, const ScalarField& field,
                  const Buffer<std::uint32_t>& around, const std::stop_token& stop);

    /// The surface to take over from; null without one.
    const EarlierSurface* earlier() const { return m_earlier; }
    /// Whether a brick has the samples that it had; then before() is its index in the earlier trace.
    bool hasSameValues(std::size_t brick) const { return m_earlier && m_state[brick] >= sameValues; }
    /// Whether the 26 bricks around have theirs, too: masks and vertices are the same.
    bool hasSameAround(std::size_t brick) const { return m_earlier && m_state[brick] >= sameAround; }
    /// Whether that holds for the seven bricks above, too: triangles are the same but for their ids.
    bool hasSameTriangles(std::size_t brick) const { return m_earlier && m_state[brick] >= sameTriangles; }
    std::uint32_t before(std::size_t brick) const { return m_before[brick]; } ///< kNoBrick: it had none

private:
    enum State : std::uint8_t { changed, sameValues, sameAround, sameTriangles };
    const EarlierSurface* m_earlier;
    std::vector<std::uint32_t> m_before; ///< [B]
    std::vector<std::uint8_t> m_state;   ///< [B]
};

} // namespace scanloupe::cpu
