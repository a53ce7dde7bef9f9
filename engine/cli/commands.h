#pragma once
// Declares the subcommands of scanloupe-cli.
#include "engine/cli/output/session.h"

namespace scanloupe::cli {

class Command;

/// Each adds a subcommand to `program`; parsing stores the action of the chosen one in `action`.
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

/// Adds --json, which is read before parsing: see splitJson() and Session::json.
void addJsonOption(Command command, const std::string& help);

} // namespace scanloupe::cli
