#pragma once
// Declares the error for a run whose edits have removed all points.
#include "engine/cloud/error.h"

namespace scanloupe {

/// Thrown if edits have removed all points of a scan.
class NoPointsLeft : public EngineError {
public:
    using EngineError::EngineError;
};

} // namespace scanloupe
