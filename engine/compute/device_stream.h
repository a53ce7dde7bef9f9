#pragma once
// Declares the factory of streams of the device that computes.
#include <functional>
#include <memory>

namespace scanloupe {

class Stream;

/// Returns a new stream of the device that computes; null without one. Thread-safe.
using DeviceStream = std::function<std::shared_ptr<const Stream>()>;

} // namespace scanloupe
