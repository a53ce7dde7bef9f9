#pragma once
#include "engine/cli/session.h"

namespace scanloupe::cli {

/// Each adds one subcommand to `app`; when that is chosen, parsing puts what it does into `action`.
void addRunCommand(CLI::App& app, Action& action);
void addSynthCommand(CLI::App& app, Action& action);
void addInfoCommand(CLI::App& app, Action& action);
void addConvertCommand(CLI::App& app, Action& action);
void addRecipeCommand(CLI::App& app, Action& action);
void addAlignCommand(CLI::App& app, Action& action);
void addDoctorCommand(CLI::App& app, Action& action);

} // namespace scanloupe::cli
