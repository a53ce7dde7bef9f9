#pragma once
// Declares the meaning of a scan's coordinates: their unit of length, and their coordinate system.
#include "engine/cloud/reference/length_unit.h"
#include "engine/cloud/reference/system_text.h"

#include <optional>
#include <string>
#include <vector>

namespace scanloupe {

class PointCloud;

/// The user's choice of a scan's coordinate system and unit; members without a value are taken from the file.
struct ChosenReference {
    std::optional<LengthUnit> unit = {};
    /// "EPSG:25832", well-known text, or a name; "": no system.
    std::optional<std::string> system = {};
    bool operator==(const ChosenReference&) const = default;
};

enum class UnitSource : std::uint8_t {
    person,
    file,    ///< from the coordinate system or the format of the file, or from a system set by the user
    guessed, ///< derived from the range of the coordinates
    assumed, ///< no information: metres are assumed
};

/// Returns e.g. "file"; for JSON.
const char* nameOf(UnitSource source);

/// The meaning of coordinates. The coordinates themselves are never converted.
struct CoordinateReference {
    LengthUnit unit = LengthUnit::metre;
    UnitSource source = UnitSource::assumed;
    std::string system;           ///< name of the system, with the EPSG code if known; empty: unknown
    std::string systemText;       ///< definition of the system from the file (well-known text, GeoTIFF keys)
                                  ///< or from the user
    std::vector<SystemAxis> axes; ///< axes of the system, in the order of its definition; empty if unknown
    /// Messages about units that are guessed, mixed or not lengths, and about systems that can't be
    /// interpreted, each with the next step.
    std::vector<std::string> notes;
    bool operator==(const CoordinateReference&) const = default;
};

/// Determines the meaning of a scan's coordinates. @param cloud null for a volume, whose formats define
/// neither unit nor system
CoordinateReference referenceOf(const PointCloud* cloud, const ChosenReference& chosen = {});

/// Returns e.g. "Easting (E, east), Northing (N, north), Gravity-related height (H, up)"; empty if the axes
/// are unknown.
std::string axesDescription(const CoordinateReference& reference);

/// Returns e.g. "US survey foot (ftUS)", with "assumed" or "guessed" if that applies.
std::string unitDescription(const CoordinateReference& reference);

} // namespace scanloupe
