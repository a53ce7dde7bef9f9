#pragma once
// Declares the models that the recipes of a project compare with.
#include "engine/project/project.h"

#include <functional>
#include <set>
#include <string>

namespace scanloupe {

/// Returns the files of the models in all recipes of a project.
std::set<std::string> modelsOf(const Project& project);

/// Replaces the file of each model by the result of `placeOf`.
void moveModels(Project& project, const std::function<std::string(const std::string&)>& placeOf);

} // namespace scanloupe
