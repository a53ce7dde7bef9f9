#pragma once
// Declares the exception type of the engine layer.
#include "kernels/core/error.h"

namespace scanloupe {

/// Exception of the engine layer, e.g. for a file that can't be read or written, or a recipe that can't run.
class EngineError : public Error {
public:
    using Error::Error;
};

} // namespace scanloupe
