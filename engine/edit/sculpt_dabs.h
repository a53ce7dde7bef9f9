#pragma once
// Declares the dabs that strokes of brushes are made of.
#include "engine/edit/edits.h"
#include "kernels/field/sculpt/sculpt.h"

#include <stop_token>
#include <vector>

namespace scanloupe {

/// The dabs of the layers that change the field and are not hidden, in their order. Strokes of `fill` and
/// `carve` are swept; along the others lies a dab each quarter of the radius, so that a place gets the
/// strength of several. `raise` and `lower` move the surface by at most an eighth of the radius a dab, in
/// steps that the lattice allows. The pressure of a pen is a share of the strength.
/// @param origin of the field's frame, in the file's
/// @throws EngineError for more dabs than a run can take; Cancelled
std::vector<SculptDab> sculptDabs(const EditLayers& layers, Vec3d origin, const LatticeShape& lattice,
                                  const std::stop_token& stop);

} // namespace scanloupe
