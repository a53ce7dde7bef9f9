#include "engine/io/las_names.h"

#include "engine/io/field_names.h"

#include <set>

namespace scanloupe {

void nameLasColumns(std::vector<LasColumn>& standard, const std::vector<LasColumn>& extra) {
    std::set<std::string> extraNames;
    for (const LasColumn& column : extra)
        extraNames.insert(column.name);
    for (LasColumn& column : standard) {
        const std::string canonical = canonicalNames({column.name})[0];
        const bool isCoordinate = column.name.size() == 1;
        const bool gives = extraNames.contains(canonical) || extraNames.contains(column.name);
        column.name = gives && !isCoordinate ? displacedLasName(column.name) : canonical;
    }
}

std::string displacedLasName(const std::string& name) {
    return "las_" + name;
}

} // namespace scanloupe
