#pragma once
// Declares the commands and options of scanloupe-cli as one tree, which is parsed and documented.
#include "engine/cli/options.h"
#include "engine/cli/output/session.h"

namespace scanloupe::cli {

/// All commands with their options; parsing stores the action of the chosen one in `action`, which must
/// outlive the result. Every command has --quiet; those that print JSON have --json.
ProgramPointer commandTree(Action& action);

} // namespace scanloupe::cli
