#pragma once
// Declares the interpretation of a coordinate system's text.
#include "engine/reference/length_unit.h"

#include <optional>
#include <string>
#include <vector>

namespace scanloupe {

/// A unit as a coordinate system names it.
struct NamedUnit {
    LengthUnit unit = LengthUnit::unknown;
    std::string name;
    bool operator==(const NamedUnit&) const = default;
};

/// An axis in the definition of a system. In files, x is to the east regardless.
struct SystemAxis {
    std::string name;         ///< "Easting"
    std::string abbreviation; ///< "E"; may be empty
    std::string direction;    ///< "east"
    std::string unit;         ///< "metre"
    bool operator==(const SystemAxis&) const = default;
};

struct SystemFacts {
    std::string name; ///< name with "(EPSG:25832)" appended where the code is known; may be empty
    /// For longitude and latitude, degrees. Without a value where the text does not say.
    std::optional<NamedUnit> horizontal, vertical;
    std::vector<SystemAxis> axes; ///< in the order of the definition; empty if unknown
    /// Why the text could not be interpreted, without a full stop; empty otherwise.
    std::string problem;
};

/// Whether this build has PROJ.
bool haveProj();

/// Interprets well-known text (WKT 1, WKT 2, and ESRI's), GeoTIFF keys in the form of readLasCrs(), codes
/// ("EPSG:25832", "EPSG:25832+7837"), and names of the EPSG dataset, by PROJ. Any other text is a name.
/// Without PROJ every text is a name, and a problem. @throws nothing but std::bad_alloc
SystemFacts readSystemText(const std::string& text);

/// Whether both texts describe the same system: EPSG:25832 and its well-known text. False where one of them
/// can't be interpreted, unless they are equal.
bool isSameSystem(const std::string& one, const std::string& other);

} // namespace scanloupe
