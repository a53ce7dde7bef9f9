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
    fill,    ///< adds the ball of the brush to the inside
    carve,   ///< removes the ball from the inside
    smooth,  ///< moves values towards the mean of their neighbours
    flatten, ///< moves the surface towards a plane; continues it by the plane where values are unknown
    raise,   ///< moves the surface outwards along its normals
    lower,   ///< moves the surface inwards
    clone,   ///< copies the surface of another place there
    smear,   ///< drags the surface along the stroke
};
inline constexpr int kSculptTools = int(SculptTool::smear) + 1;

/// How a brush determines values, and so where it adds bricks.
struct SculptTraits {
    bool combinesBall = false;       ///< sweeps its ball along a piece of the stroke
    bool fillsBall = false;          ///< adds bricks everywhere within reach
    bool usesPlane = false;          ///< adds bricks along the plane of the dab
    bool continuesSurface = false;   ///< adds bricks next to those of the field
    bool takesFromElsewhere = false; ///< adds bricks where those that SculptDab::shift leads to have values
};

HD constexpr SculptTraits traitsOf(SculptTool tool) {
    switch (tool) {
    case SculptTool::fill:
        return {.combinesBall = true, .fillsBall = true};
    case SculptTool::carve:
        return {.combinesBall = true};
    case SculptTool::smooth:
        return {};
    case SculptTool::flatten:
        return {.usesPlane = true};
    case SculptTool::raise:
    case SculptTool::lower:
        return {.continuesSurface = true};
    case SculptTool::clone:
        return {.takesFromElsewhere = true};
    case SculptTool::smear:
        break;
    }
    return {.continuesSurface = true, .takesFromElsewhere = true};
}

/// A brush at one place, or along one straight piece of a stroke. Lengths and places are in metres, in the
/// field's frame.
struct SculptDab {
    SculptTool tool = SculptTool::fill;
    Vec3f from, to;             ///< equal, except for `fill` and `carve`
    float radius = 0;           ///< > 0
    float strength = 1;         ///< `raise`, `lower`: metres; `smooth`, `flatten`, `smear`: share, 0 to 1
    float falloff = 0;          ///< share of the radius over which the strength fades to 0 at its end
    float level = 0;            ///< the value at which the surface lies
    float slope = 1;            ///< change of the value per metre inwards, not 0
    Vec3f planeAt, planeNormal; ///< `flatten`: the unit normal points outwards
    Vec3i shift;                ///< `clone`, `smear`: offset in nodes to the place that values come from
};

/// The largest step of `raise` and `lower` in this lattice: values are known no farther than this beyond
/// those that a dab changes.
float largestRaise(const LatticeShape& lattice);

/// The bricks of a lattice whose nodes dabs may change, and their neighbours: ascending keys.
/// @throws KernelError as sculpt; Cancelled
std::vector<std::uint64_t> bricksNearDabs(const LatticeShape& lattice, Vec3i brickDims,
                                          std::span<const SculptDab> dabs, const std::stop_token& stop);

/// No limit to the bricks of a field.
inline constexpr std::uint64_t kAnyBricks = std::numeric_limits<std::uint64_t>::max();

namespace cpu {
/// The field after dabs, one after another. Bricks are added where a dab reaches into space without any;
/// cells that a dab has reached may carry surface. The range of values includes those of all dabs.
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
