#pragma once
// Says in sentences what a run has chosen and left out.
#include "engine/recipe/defaults.h"

#include <string>
#include <vector>

namespace scanloupe {

struct Recipe;
struct Snapshot;

/// All notes on a run: parameters chosen from the data, and data left out.
/// @param asked the recipe as requested; @param defaults of the cloud; null for a volume
std::vector<std::string> runNotes(const Recipe& asked, const Snapshot& s, const DataDefaults* defaults);

} // namespace scanloupe
