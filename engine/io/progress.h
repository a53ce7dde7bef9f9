#pragma once
#include <functional>

namespace scanloupe {

/// Is told how much of the work is done, 0 to 1; may be called from any thread, and may be empty.
using ProgressFunction = std::function<void(double)>;

} // namespace scanloupe
