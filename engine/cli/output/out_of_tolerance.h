#pragma once
// Declares the exception for a comparison whose scan is out of tolerance.
#include "engine/cloud/error.h"

namespace scanloupe::cli {

/// Thrown after all outputs are written; the program then exits with exitOutside.
class OutOfTolerance : public EngineError {
public:
    using EngineError::EngineError;
};

} // namespace scanloupe::cli
