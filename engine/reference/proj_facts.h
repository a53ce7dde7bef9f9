#pragma once
// Declares queries of coordinate systems in PROJ.
#include "engine/reference/proj_session.h"
#include "engine/reference/system_text.h"

namespace scanloupe {

/// A unit by its size in metres. Files were written with a size of 1 for every unit: there its name is right.
NamedUnit unitOf(std::string name, double metres);

/// "NAD83 / UTM zone 15N (EPSG:26915)", without the unknown parts.
std::string nameWithCode(const ProjSession& proj, const PJ* system);

/// Adds the axes of a system and its parts, and their units.
void addFacts(const ProjSession& proj, const PJ* system, SystemFacts& facts);

} // namespace scanloupe
