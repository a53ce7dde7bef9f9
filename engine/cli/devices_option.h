#pragma once
// Declares --devices: what the tasks of a job are shared out to.
#include "engine/compute/backend.h"
#include "engine/compute/compute_worker.h"

#include <string>
#include <vector>

namespace scanloupe::cli {

class Command;
class Option;

/// Adds --devices. @param list outlives the parsing @param help what they do
Option addDevicesOption(Command command, std::string& list, const std::string& help);

/// @param list "all", or numbers and "host" separated by commas; empty: by the backend, all devices or the
/// host @throws EngineError for a device that there is not
std::vector<ComputeWorker> workersIn(const std::string& list, Backend backend);

} // namespace scanloupe::cli
