#pragma once
// Names the columns of LAS points.
#include "engine/io/las/las_layout.h"

namespace scanloupe {

/// Renames the standard columns from the specification's names to canonical names. Where extra bytes have
/// exactly the name of a standard column, writers put the better values there: the standard column is then
/// renamed to "las_" and its own name. Extra names that differ in case, or are synonyms, do not displace it.
void nameLasColumns(std::vector<LasColumn>& standard, const std::vector<LasColumn>& extra);

/// The new name of a standard column when extra bytes already use its name: "las_" and `name`.
std::string displacedLasName(const std::string& name);

/// The names of attributes as extra bytes: unique, of at most 32 bytes. Names of standard fields, which other
/// programs refuse for extra bytes, get the suffix "_exact".
std::vector<std::string> extraLasNames(const std::vector<std::string>& names);

} // namespace scanloupe
