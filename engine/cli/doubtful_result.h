#pragma once
// Declares the exception of a command that is done, but whose result can't be relied on.
#include "engine/cloud/error.h"

namespace scanloupe::cli {

/// Thrown once everything is written; the program then ends with exitDoubtful.
class DoubtfulResult : public EngineError {
public:
    using EngineError::EngineError;
};

} // namespace scanloupe::cli
