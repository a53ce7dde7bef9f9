#pragma once
// Declares measures between points of a scan, as values, and their results.
#include "engine/reference/length_unit.h"
#include "kernels/core/vec3.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

enum class MeasureKind : std::uint8_t {
    point,    ///< one point with a label
    distance, ///< between two points
    height,   ///< difference of two points along the up axis
    angle,    ///< at the second of three points
    area,     ///< area of a polygon of three or more points
    circle,   ///< through three points
};

/// The geometry that a measured point was snapped to.
enum class MeasureSnap : std::uint8_t { scanPoint, surface, sectionLine };

struct MeasurePoint {
    Vec3d position; ///< file's frame and unit
    MeasureSnap snap = MeasureSnap::scanPoint;
    bool operator==(const MeasurePoint&) const = default;
};

struct Measure {
    MeasureKind kind = MeasureKind::distance;
    std::string name; ///< UTF-8
    std::vector<MeasurePoint> points;
    std::uint32_t colour = 0xffffff; ///< 0xRRGGBB
    bool visible = true;
    bool operator==(const Measure&) const = default;
};

/// The measures of a scan, in the order in which they were made.
using MeasureList = std::vector<Measure>;

/// The values of a measure; those that its kind does not have, and those that its points do not determine,
/// are NaN.
struct MeasureValues {
    static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    double distance = kNone;   ///< in the unit of the coordinates, like all lengths
    double horizontal = kNone; ///< perpendicular to the up axis
    double height = kNone;     ///< along the up axis, from the first point to the second: signed
    double angle = kNone;      ///< degrees, 0 to 180
    /// In that unit squared. Half the length of the polygon's area vector (Newell's method; Sutherland,
    /// Sproull and Schumacker 1974): the area of its projection to the plane where that is largest. NaN if
    /// edges cross, since their parts would cancel.
    double area = kNone;
    double perimeter = kNone; ///< along the edges in space, closed
    double deviation = kNone; ///< largest distance of a corner to that plane, through the mean corner
    double radius = kNone;    ///< of the circle through three points; NaN if they lie on a line
    double diameter = kNone;  ///< likewise
    bool edgesCross = false;  ///< seen perpendicular to that plane
};

/// All NaN for a measure with fewer points than its kind needs. @param up unit vector of the up axis
MeasureValues valuesOf(const Measure& measure, Vec3d up);

/// "scan point", "surface" or "section line", in files.
std::string_view snapKeyOf(MeasureSnap snap);

/// The measures as CSV with a header, which names the unit ("distance_ft", "area_ft2"): a row for each point,
/// preceded by the values of its measure. Numbers have the digits that read back to the same value; values
/// that a measure does not have are empty.
std::string toCsv(const MeasureList& measures, Vec3d up, LengthUnit unit);

} // namespace scanloupe
