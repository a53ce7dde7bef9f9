#pragma once
// Declares queries of coordinate systems in PROJ.
#include "engine/cloud/reference/proj_session.h"
#include "engine/cloud/reference/system_text.h"

namespace scanloupe {

/// Returns the unit with a size in metres. Some files state a size of 1 for every unit; in this case the name
/// is used.
NamedUnit unitOf(std::string name, double metres);

/// Returns e.g. "NAD83 / UTM zone 15N (EPSG:26915)", without unknown parts.
std::string nameWithCode(const ProjSession& proj, const PJ* system);

/// Adds the axes of a system and its components, and their units.
void addFacts(const ProjSession& proj, const PJ* system, SystemFacts& facts);

} // namespace scanloupe
