#pragma once
// Declares the error of a run whose edits have removed all points.
#include "engine/cloud/error.h"

namespace scanloupe {

/// Edits have removed all points of a scan.
class NoPointsLeft : public EngineError {
public:
    using EngineError::EngineError;
};

} // namespace scanloupe
