#pragma once
// Declares incremental application of edits, for strokes in quick succession.
#include "engine/edit/edits.h"

#include <optional>

namespace scanloupe {

/// The steps that turn the selection of `applied` into that of `wanted`, for the same points; none when
/// `wanted` does not begin with `applied`. Strokes that were applied in parts count as the whole.
std::optional<std::vector<SelectionStep>> pendingSteps(const PointSelection& applied,
                                                       const PointSelection& wanted);

/// The layers that turn the points after `applied` into those after `wanted`; none when `wanted` does not
/// begin with `applied`, and all must be applied from scratch.
std::optional<EditLayers> pendingLayers(const EditLayers& applied, const EditLayers& wanted);

} // namespace scanloupe
