#pragma once
// Declares the dabs of brush strokes.
#include "engine/edit/edits.h"
#include "kernels/field/sculpt/sculpt.h"

#include <stop_token>
#include <vector>

namespace scanloupe {

/// The dabs of the visible layers that change the field, in their order. Strokes of `fill` and `carve` are
/// swept; along the others there is a dab each quarter of the radius, so that a point gets the strength of
/// several. `raise` and `lower` move the surface by at most an eighth of the radius a dab, in steps that the
/// lattice allows. The pressure of a pen scales the strength. @param origin of the field's frame, in the
/// file's @throws EngineError for more dabs than a run can process; Cancelled
std::vector<SculptDab> sculptDabs(const EditLayers& layers, Vec3d origin, const LatticeShape& lattice,
                                  const std::stop_token& stop);

} // namespace scanloupe
