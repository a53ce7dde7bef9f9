#pragma once
// Declares conversions of selections of points from and to JSON.
#include "engine/edit/edits_json.h"

namespace scanloupe::edits_json {

/// Writes a selection as JSON. @param table see toJson() of Edits
/// @throws as toJson() of Edits
nlohmann::ordered_json jsonOf(const PointSelection& selection, RegionTable* table);
/// Reads a selection. @param table see editsFromJson()
/// @throws as editsFromJson()
PointSelection selectionOf(const nlohmann::ordered_json& json, const RegionTable* table);

} // namespace scanloupe::edits_json
