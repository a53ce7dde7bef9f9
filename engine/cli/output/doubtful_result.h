#pragma once
// Declares the exception for a command that has completed, but with an unreliable result.
#include "engine/cloud/error.h"

namespace scanloupe::cli {

/// Thrown after all outputs are written; the program then exits with exitDoubtful.
class DoubtfulResult : public EngineError {
public:
    using EngineError::EngineError;
};

} // namespace scanloupe::cli
