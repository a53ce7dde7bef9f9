#pragma once
// What the values of LAS points are called.
#include "engine/io/las_layout.h"

namespace scanloupe {

/// Gives the standard columns, which have the names of the specification, their canonical names. One gives
/// way to an extra value that has exactly its name, where the writer put the better value: it becomes "las_"
/// and its own name. Names that differ in case or are synonyms of the standard one leave it alone.
void nameLasColumns(std::vector<LasColumn>& standard, const std::vector<LasColumn>& extra);

/// What the standard value of this name is called beside an extra one that has its name.
std::string displacedLasName(const std::string& name);

/// What attributes are called as extra bytes: of at most 32 bytes, each once. Names of standard fields, which
/// other programs do not let an extra value have, get "_exact" behind them.
std::vector<std::string> extraLasNames(const std::vector<std::string>& names);

} // namespace scanloupe
