#pragma once
// Declares the meaning of a scan's coordinates: their unit of length, and their coordinate system.
#include "engine/reference/length_unit.h"
#include "engine/reference/system_text.h"

#include <optional>
#include <string>
#include <vector>

namespace scanloupe {

class PointCloud;

/// The user's choice for a scan's coordinates; members without a value are taken from the file.
struct ChosenReference {
    std::optional<LengthUnit> unit = {};
    /// "EPSG:25832", well-known text, or a name. "": none
    std::optional<std::string> system = {};
    bool operator==(const ChosenReference&) const = default;
};

enum class UnitSource : std::uint8_t {
    person,
    file,    ///< from the coordinate system or the format of the file, or from the user's coordinate system
    guessed, ///< derived from the coordinates
    assumed, ///< no information: metres
};

/// "file"; for JSON.
const char* nameOf(UnitSource source);

/// Meaning of coordinates, which stay as in the file, whatever their unit.
struct CoordinateReference {
    LengthUnit unit = LengthUnit::metre;
    UnitSource source = UnitSource::assumed;
    std::string system;           ///< its name, with the EPSG code if known; empty: unknown
    std::string systemText;       ///< the file's definition (well-known text, GeoTIFF keys), or the user's
    std::vector<SystemAxis> axes; ///< axes of the system, in its order; empty if unknown
    /// Sentences about units that are guessed, mixed or no lengths, and systems that can't be interpreted,
    /// each with the next step.
    std::vector<std::string> notes;
    bool operator==(const CoordinateReference&) const = default;
};

/// @param cloud null for a volume, whose formats name neither unit nor system
CoordinateReference referenceOf(const PointCloud* cloud, const ChosenReference& chosen = {});

/// "Easting (E, east), Northing (N, north), Gravity-related height (H, up)"; empty where they are not known.
std::string axesDescription(const CoordinateReference& reference);

/// "US survey foot (ftUS)", with "assumed" or "guessed" where it is.
std::string unitDescription(const CoordinateReference& reference);

} // namespace scanloupe
