#pragma once
// Converts measures from and to JSON.
#include "engine/measure/measure.h"

#include <nlohmann/json_fwd.hpp>

namespace scanloupe {

/// @throws EngineError where there are more than can be read again
nlohmann::ordered_json toJson(const MeasureList& measures);

/// The measures of a project, a scan or a step; empty without any.
/// @throws EngineError for invalid measures; nlohmann::json::exception
MeasureList measuresIn(const nlohmann::ordered_json& json);

} // namespace scanloupe
