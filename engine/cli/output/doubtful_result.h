#pragma once
// Declares the exception of a command that has completed with an unreliable result.
#include "engine/cloud/error.h"

namespace scanloupe::cli {

/// Thrown once everything is written; the program then ends with exitDoubtful.
class DoubtfulResult : public EngineError {
public:
    using EngineError::EngineError;
};

} // namespace scanloupe::cli
