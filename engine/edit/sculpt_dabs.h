#pragma once
// Declares the division of brush strokes into dabs.
#include "engine/edit/edits.h"
#include "kernels/field/sculpt/sculpt.h"

#include <stop_token>
#include <vector>

namespace scanloupe {

/// Returns the dabs of the visible layers that change the field, in the order of application. Strokes of
/// `fill` and `carve` are swept. Along the other strokes there is one dab per quarter of the radius, so that
/// the strengths of several dabs add up at a point. A dab of `raise` or `lower` moves the surface by at most
/// an eighth of the radius, in steps that the lattice allows. The pressure of a pen scales the strength.
/// @param origin origin of the field's frame, in the file's frame
/// @throws EngineError for more dabs than a run can process; Cancelled
std::vector<SculptDab> sculptDabs(const EditLayers& layers, Vec3d origin, const LatticeShape& lattice,
                                  const std::stop_token& stop);

} // namespace scanloupe
