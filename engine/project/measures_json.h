#pragma once
// Declares conversions of measures from and to JSON.
#include "engine/inspect/measure/measure.h"

#include <nlohmann/json_fwd.hpp>

namespace scanloupe {

/// Writes measures as JSON. @throws EngineError if there are more than can be read again
nlohmann::ordered_json toJson(const MeasureList& measures);

/// Reads the measures of a project, a scan or a step; empty if it has none.
MeasureList measuresIn(const nlohmann::ordered_json& json);

} // namespace scanloupe
