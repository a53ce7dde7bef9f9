#pragma once
#include "engine/cli/console.h"

#include <functional>
#include <ostream>
#include <stop_token>

namespace CLI {
class App;
}

namespace scanloupe::cli {

/// What every command works with.
struct Session {
    Console& console;
    std::ostream& out;
    const std::stop_token& stop;
};

/// A command whose options have been read; throws Error and Cancelled.
using Action = std::function<void(Session&)>;

} // namespace scanloupe::cli
