#pragma once
// Declares incremental application of edits, for strokes in rapid succession.
#include "engine/edit/edits.h"

#include <optional>

namespace scanloupe {

/// Returns the steps that turn the selection of `applied` into that of `wanted`, for the same points; none if
/// `wanted` does not begin with the steps of `applied`. A stroke that was applied in parts counts as the
/// whole stroke.
std::optional<std::vector<SelectionStep>> pendingSteps(const PointSelection& applied,
                                                       const PointSelection& wanted);

/// Returns the layers that turn the points after `applied` into those after `wanted`; none if `wanted` does
/// not begin with `applied`, so that all layers must be applied from scratch.
std::optional<EditLayers> pendingLayers(const EditLayers& applied, const EditLayers& wanted);

} // namespace scanloupe
