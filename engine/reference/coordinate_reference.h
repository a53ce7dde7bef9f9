#pragma once
// Declares what the coordinates of a scan mean: their unit of length, and their coordinate system.
#include "engine/cloud/point_cloud.h"
#include "engine/reference/length_unit.h"

#include <optional>
#include <string>
#include <vector>

namespace scanloupe {

/// What people say of a scan's coordinates; without a value as its file says.
struct ChosenReference {
    std::optional<LengthUnit> unit = {};
    /// "EPSG:25832", well-known text, or a name. "": none
    std::optional<std::string> system = {};
    bool operator==(const ChosenReference&) const = default;
};

enum class UnitSource : std::uint8_t {
    person,
    file,    ///< its coordinate system or its format says so, or the coordinate system that a person gave
    guessed, ///< from the coordinates
    assumed, ///< nothing says which it is: metres
};

/// "file"; for JSON.
const char* nameOf(UnitSource source);

/// Coordinates stay as they are in the file, whatever their unit.
struct CoordinateReference {
    LengthUnit unit = LengthUnit::metre;
    UnitSource source = UnitSource::assumed;
    std::string system;     ///< its name, with the EPSG code where that is known; empty: not known
    std::string systemText; ///< as the file has it (well-known text, GeoTIFF keys), or a person
    /// Sentences about units that are guessed, mixed or no lengths, each with what to do.
    std::vector<std::string> notes;
    bool operator==(const CoordinateReference&) const = default;
};

/// @param cloud null of a volume, whose formats name neither unit nor system
CoordinateReference referenceOf(const PointCloud* cloud, const ChosenReference& chosen = {});

/// "US survey foot (ftUS)", with "assumed" or "guessed" where it is.
std::string unitDescription(const CoordinateReference& reference);

} // namespace scanloupe
