#pragma once
// Declares the exception of a comparison whose scan is out of tolerance.
#include "engine/cloud/error.h"

namespace scanloupe::cli {

/// Thrown once everything is written; the program then ends with exitOutside.
class OutOfTolerance : public EngineError {
public:
    using EngineError::EngineError;
};

} // namespace scanloupe::cli
