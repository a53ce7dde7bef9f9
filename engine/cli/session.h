#pragma once
// Declares the environment that every command runs in.
#include "engine/cli/console.h"

#include <functional>
#include <ostream>
#include <stop_token>

namespace CLI {
class App;
}

namespace scanloupe::cli {

/// The environment of a command: console, standard output and stop token.
struct Session {
    Console& console;
    std::ostream& out;
    const std::stop_token& stop;
};

/// A command with parsed options; throws Error and Cancelled.
using Action = std::function<void(Session&)>;

} // namespace scanloupe::cli
