#pragma once
// Declares the subcommands of scanloupe-cli.
#include "engine/cli/output/session.h"

namespace scanloupe::cli {

class Command;

/// Each function adds one subcommand to `program`. If that subcommand is chosen, parsing stores its action in
/// `action`.
void addRunCommand(Command program, Action& action);
void addSweepCommand(Command program, Action& action);
void addSynthCommand(Command program, Action& action);
void addInfoCommand(Command program, Action& action);
void addConvertCommand(Command program, Action& action);
void addRecipeCommand(Command program, Action& action);
void addAlignCommand(Command program, Action& action);
void addCompareCommand(Command program, Action& action);
void addChangeCommand(Command program, Action& action);
void addMeshDistanceCommand(Command program, Action& action);
void addDoctorCommand(Command program, Action& action);

/// Adds --json with its help text. splitJson() extracts this option before parsing; its effect is in
/// Session::json.
void addJsonOption(Command command, const std::string& help);

} // namespace scanloupe::cli
