#pragma once
// Declares the models that the recipes of a project compare with.
#include "engine/project/project.h"

#include <functional>
#include <set>
#include <string>

namespace scanloupe {

/// The files of the models of all recipes: those of the shown state, of each scan, and of the history.
std::set<std::string> modelsOf(const Project& project);

/// Replaces each file by the result of `placeOf`.
void moveModels(Project& project, const std::function<std::string(const std::string&)>& placeOf);

} // namespace scanloupe
