#pragma once
// Declares --devices: the devices that share the tasks of a job.
#include "engine/compute/compute_worker.h"

#include <string>
#include <vector>

namespace scanloupe {
enum class Backend;
}

namespace scanloupe::cli {

class Command;
class Option;

/// Adds --devices.
/// @param list receives the value; must outlive the parsing
/// @param help describes the purpose of the devices
Option addDevicesOption(Command command, std::string& list, const std::string& help);

/// Parses the value of --devices.
/// @param list "all", or device numbers and "host" separated by commas; empty: all devices of `backend`, or
/// the host if it is the CPU
/// @throws EngineError for a missing device
std::vector<ComputeWorker> workersIn(const std::string& list, Backend backend);

} // namespace scanloupe::cli
