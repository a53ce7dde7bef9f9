#pragma once
// Declares the subcommands of scanloupe-cli.
#include "engine/cli/session.h"

namespace scanloupe::cli {

/// Each adds a subcommand to `app`; parsing stores the action of the chosen one in `action`.
void addRunCommand(CLI::App& app, Action& action);
void addSweepCommand(CLI::App& app, Action& action);
void addSynthCommand(CLI::App& app, Action& action);
void addInfoCommand(CLI::App& app, Action& action);
void addConvertCommand(CLI::App& app, Action& action);
void addRecipeCommand(CLI::App& app, Action& action);
void addAlignCommand(CLI::App& app, Action& action);
void addCompareCommand(CLI::App& app, Action& action);
void addChangeCommand(CLI::App& app, Action& action);
void addMeshDistanceCommand(CLI::App& app, Action& action);
void addDoctorCommand(CLI::App& app, Action& action);

/// Adds --json, which Session::json tells of.
void addJsonFlag(CLI::App& command, const std::string& help);

} // namespace scanloupe::cli
