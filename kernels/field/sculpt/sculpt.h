#pragma once
// Declares brushes that change a scalar field by hand, dab by dab.
#include "kernels/field/core/scalar_field.h"

#include <cstdint>
#include <limits>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

enum class SculptTool : std::uint8_t {
    fill,    ///< adds the ball of the brush to what is inside
    carve,   ///< takes the ball away from it
    smooth,  ///< moves values towards the mean of those beside them
    flatten, ///< moves the surface towards a plane; where nothing is known, continues it by the plane
    raise,   ///< moves the surface outwards along its normals
    lower,   ///< inwards
    clone,   ///< puts the surface of another place there
};

/// What a brush does at one place, or along one straight piece of a stroke. Lengths and places are in
/// metres, in the field's frame.
struct SculptDab {
    SculptTool tool = SculptTool::fill;
    Vec3f from, to;             ///< the same place, but for `fill` and `carve`
    float radius = 0;           ///< > 0
    float strength = 1;         ///< `smooth`, `flatten`: share of the way, 0 to 1; `raise`, `lower`: metres
    float falloff = 0;          ///< share of the radius over which the strength fades to 0 at its end
    float level = 0;            ///< the value at which the surface lies
    float slope = 1;            ///< change of the value per metre inwards, not 0
    Vec3f planeAt, planeNormal; ///< `flatten`: the normal leads outwards, of unit length
    Vec3i shift;                ///< `clone`: nodes from a place to where its values are taken from
};

/// The largest step of `raise` and `lower` in this lattice: values are known no farther than that beyond
/// those that a dab changes.
float largestRaise(const LatticeShape& lattice);

/// The bricks of a lattice whose nodes dabs may change, and those beside them: ascending keys.
/// @throws KernelError as sculpt; Cancelled
std::vector<std::uint64_t> bricksNearDabs(const LatticeShape& lattice, Vec3i brickDims,
                                          std::span<const SculptDab> dabs, const std::stop_token& stop);

/// No limit to the bricks of a field.
inline constexpr std::uint64_t kAnyBricks = std::numeric_limits<std::uint64_t>::max();

namespace cpu {
/// The field after dabs, one after another. Bricks are added where a dab reaches into space without any;
/// cells that a dab has reached may carry surface. The range of values holds those of all dabs.
/// @throws KernelError when a dab is not finite or has no radius, or when the field would have more than
/// `most` bricks; Cancelled
ScalarField sculpt(const ScalarField& field, std::span<const SculptDab> dabs, std::uint64_t most,
                   const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// As cpu::sculpt, with the same bytes as its result; both fields lie on the device.
/// @note Synchronizes with `stream`.
ScalarField sculpt(const ScalarField& field, std::span<const SculptDab> dabs, std::uint64_t most,
                   const std::stop_token& stop, StreamView stream);
} // namespace cuda

} // namespace scanloupe
