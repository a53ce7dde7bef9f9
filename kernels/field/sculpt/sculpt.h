#pragma once
// Declares brushes that edit a scalar field manually, dab by dab.
#include "kernels/field/core/scalar_field.h"

#include <cstdint>
#include <limits>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

enum class SculptTool : std::uint8_t {
    fill,    ///< adds a ball to the inside
    carve,   ///< removes a ball from the inside
    smooth,  ///< moves values towards the mean of their neighbours
    flatten, ///< moves the surface towards a plane; where values are unknown, extends the surface along the
             ///< plane
    raise,   ///< moves the surface outwards along its normals
    lower,   ///< moves the surface inwards
    clone,   ///< copies the surface from another place
    smear,   ///< drags the surface along the stroke
};
inline constexpr int kSculptTools = int(SculptTool::smear) + 1;

/// How a brush computes values, which determines where it adds bricks.
struct SculptTraits {
    bool combinesBall = false;       ///< sweeps a ball along the piece of the stroke
    bool fillsBall = false;          ///< adds bricks everywhere within reach of the ball
    bool usesPlane = false;          ///< adds bricks along the plane of the dab
    bool continuesSurface = false;   ///< adds bricks next to existing bricks
    bool takesFromElsewhere = false; ///< adds bricks where the bricks at the offset SculptDab::shift exist
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

/// One application of a brush, at one place or along a straight piece of a stroke. Lengths and places are in
/// metres in the field's frame.
struct SculptDab {
    SculptTool tool = SculptTool::fill;
    Vec3f from, to;     ///< ends of the piece of the stroke; equal, except for `fill` and `carve`
    float radius = 0;   ///< radius of the ball, above 0
    float strength = 1; ///< `raise`, `lower`: height in metres; `smooth`, `flatten`, `smear`: fraction, 0 to
                        ///< 1
    float falloff = 0;  ///< outer fraction of the radius over which the strength fades to 0
    float level = 0;    ///< field value at the surface
    float slope = 1;    ///< change of the field value per metre inwards, not 0
    Vec3f planeAt, planeNormal; ///< `flatten`: a point of the plane, and its unit normal, which points
                                ///< outwards
    Vec3i shift; ///< `clone`, `smear`: offset, in nodes, of the place that values are copied from
};

/// Returns the largest height of `raise` and `lower` in this lattice, metres. Values are only known up to
/// this distance from the values that a dab changes.
float largestRaise(const LatticeShape& lattice);

/// Returns the bricks of a lattice whose nodes dabs may change, and the neighbours of these bricks: ascending
/// keys.
/// @throws KernelError as sculpt; Cancelled
std::vector<std::uint64_t> bricksNearDabs(const LatticeShape& lattice, Vec3i brickDims,
                                          std::span<const SculptDab> dabs, const std::stop_token& stop);

/// Value for an unlimited number of bricks of a field.
inline constexpr std::uint64_t kAnyBricks = std::numeric_limits<std::uint64_t>::max();

namespace cpu {
/// Applies dabs to a field, one after another, and returns the new field. Bricks are added where a dab
/// reaches into space without bricks; cells that a dab has changed may contain surface. The range of values
/// includes the values of all dabs.
/// @throws KernelError when a dab has no radius or is not finite, or when the field would have more than
/// `most` bricks; Cancelled
ScalarField sculpt(const ScalarField& field, std::span<const SculptDab> dabs, std::uint64_t most,
                   const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// Same as cpu::sculpt, with an identical result; both fields are on the device.
/// @note Synchronizes with `stream`.
ScalarField sculpt(const ScalarField& field, std::span<const SculptDab> dabs, std::uint64_t most,
                   const std::stop_token& stop, StreamView stream);
} // namespace cuda

} // namespace scanloupe
