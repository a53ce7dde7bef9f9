#pragma once
// Declares the exception type of the engine layer.
#include "kernels/core/error.h"

namespace scanloupe {

/// Thrown by the engine layer: a file that can't be read or written, a recipe that can't run.
class EngineError : public Error {
public:
    using Error::Error;
};

} // namespace scanloupe
