#pragma once
// Declares what is left to do when edits go on: strokes in quick succession.
#include "engine/edit/edits.h"

#include <optional>

namespace scanloupe {

/// The steps that turn what `applied` has selected into what `wanted` selects of the same points; none when
/// it does not begin with the former. Strokes that were applied in parts count as the whole.
std::optional<std::vector<SelectionStep>> pendingSteps(const PointSelection& applied,
                                                       const PointSelection& wanted);

/// The layers that turn the points as `applied` has left them into those of `wanted`; none when these don't
/// begin with the former, so that all is to be applied anew.
std::optional<EditLayers> pendingLayers(const EditLayers& applied, const EditLayers& wanted);

} // namespace scanloupe
