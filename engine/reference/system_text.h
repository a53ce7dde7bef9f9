#pragma once
// Declares what the text of a coordinate system says.
#include "engine/reference/length_unit.h"

#include <optional>
#include <string>

namespace scanloupe {

/// A unit as a coordinate system names it.
struct NamedUnit {
    LengthUnit unit = LengthUnit::unknown;
    std::string name;
    bool operator==(const NamedUnit&) const = default;
};

struct SystemFacts {
    std::string name; ///< with "(EPSG:25832)" behind where the code is known; may be empty
    std::optional<NamedUnit> horizontal, vertical;
};

/// @param text well-known text; GeoTIFF keys as readLasCrs() gives them; "EPSG:25832"; or any other
SystemFacts readSystemText(const std::string& text);

} // namespace scanloupe
