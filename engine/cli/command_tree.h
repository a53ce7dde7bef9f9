#pragma once
// Declares the tree of all commands and options, which the parser and the documentation use.
#include "engine/cli/options.h"
#include "engine/cli/output/session.h"

namespace scanloupe::cli {

/// Returns the program with all commands and options. Parsing stores the action of the chosen command in
/// `action`, which must outlive the returned program. Every command has --quiet; commands that print JSON
/// have --json.
ProgramPointer commandTree(Action& action);

} // namespace scanloupe::cli
