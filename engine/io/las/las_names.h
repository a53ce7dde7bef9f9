#pragma once
// Declares the names of the columns of LAS points.
#include "engine/io/las/las_layout.h"

namespace scanloupe {

/// Renames the standard columns from the specification's names to canonical names. If extra bytes have
/// exactly the name of a standard column, they have the more accurate values; the standard column then gets
/// the prefix "las_". Extra bytes whose names only differ by case, or are synonyms, have no such effect.
void nameLasColumns(std::vector<LasColumn>& standard, const std::vector<LasColumn>& extra);

/// Returns the name of a standard column whose name is used by extra bytes: "las_" followed by `name`.
std::string displacedLasName(const std::string& name);

/// Returns the names of attributes as extra bytes: unique, with at most 32 bytes. Names of standard fields,
/// which other programs reject for extra bytes, get the suffix "_exact".
std::vector<std::string> extraLasNames(const std::vector<std::string>& names);

} // namespace scanloupe
