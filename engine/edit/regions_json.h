#pragma once
// Declares selections of points in JSON.
#include "engine/edit/edits_json.h"

namespace scanloupe::edits_json {

/// As toJson() of Edits.
nlohmann::ordered_json jsonOf(const PointSelection& selection, RegionTable* table);
/// As editsFromJson().
PointSelection selectionOf(const nlohmann::ordered_json& json, const RegionTable* table);

} // namespace scanloupe::edits_json
