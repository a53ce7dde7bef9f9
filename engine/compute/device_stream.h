#pragma once
// Declares a factory of streams of the compute device.
#include <functional>
#include <memory>

namespace scanloupe {

class Stream;

/// Returns a new stream of the compute device; null without one. Thread-safe.
using DeviceStream = std::function<std::shared_ptr<const Stream>()>;

} // namespace scanloupe
