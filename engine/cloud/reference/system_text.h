#pragma once
// Declares the interpretation of a coordinate system's text.
#include "engine/cloud/reference/length_unit.h"

#include <optional>
#include <string>
#include <vector>

namespace scanloupe {

/// The name of a unit in a coordinate system, and the corresponding LengthUnit.
struct NamedUnit {
    LengthUnit unit = LengthUnit::unknown;
    std::string name;
    bool operator==(const NamedUnit&) const = default;
};

/// An axis in the definition of a system. In files, x is always the easting.
struct SystemAxis {
    std::string name;         ///< e.g. "Easting"
    std::string abbreviation; ///< e.g. "E"; may be empty
    std::string direction;    ///< e.g. "east"
    std::string unit;         ///< e.g. "metre"
    bool operator==(const SystemAxis&) const = default;
};

struct SystemFacts {
    std::string name; ///< name with "(EPSG:25832)" appended if the code is known; may be empty
    /// Units; degrees for longitude and latitude. nullopt if the text does not define them.
    std::optional<NamedUnit> horizontal, vertical;
    std::vector<SystemAxis> axes; ///< in the order of the definition; empty if unknown
    /// Reason why the text could not be interpreted, without a full stop; otherwise empty.
    std::string problem;
};

/// Whether this build includes PROJ.
bool haveProj();

/// Interprets well-known text (WKT 1, WKT 2, ESRI's), GeoTIFF keys in the form of readLasCrs(), codes
/// ("EPSG:25832", "EPSG:25832+7837"), and names of the EPSG dataset, using PROJ. Any other text is used as a
/// name. Without PROJ, every text is used as a name, and `problem` is set. @throws only std::bad_alloc
SystemFacts readSystemText(const std::string& text);

/// Whether both texts describe the same system, e.g. EPSG:25832 and its well-known text. If a text can't be
/// interpreted, true only for equal texts.
bool isSameSystem(const std::string& one, const std::string& other);

} // namespace scanloupe
