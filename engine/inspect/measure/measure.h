#pragma once
// Declares measures between points of a scan, and their values.
#include "engine/cloud/reference/length_unit.h"
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
    angle,    ///< angle at the second of three points
    area,     ///< area of a polygon of three or more points
    circle,   ///< circle through three points
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
    std::string name; ///< UTF-8; shown in lists and texts
    std::vector<MeasurePoint> points;
    std::uint32_t colour = 0xffffff; ///< 0xRRGGBB
    bool visible = true;
    bool operator==(const Measure&) const = default;
};

/// The measures of a scan, in the order of their creation.
using MeasureList = std::vector<Measure>;

/// The values of a measure. Values that its kind does not define, or that its points do not determine, are
/// NaN.
struct MeasureValues {
    static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    double distance = kNone;   ///< distance; like all lengths in the unit of the coordinates
    double horizontal = kNone; ///< length of the component perpendicular to the up axis
    double height = kNone;     ///< signed length along the up axis, from the first point to the second
    double angle = kNone;      ///< degrees, 0 to 180
    /// Area of the polygon's projection to the plane in which it is largest, in squared units of the
    /// coordinates: half the length of the polygon's area vector (Newell's method; Sutherland, Sproull and
    /// Schumacker 1974). NaN if edges cross, since parts of the area would cancel.
    double area = kNone;
    double perimeter = kNone; ///< length of the closed sequence of edges in space
    double deviation = kNone; ///< maximum distance of a corner from the plane of the projection, which
                              ///< contains the mean of the corners
    double radius = kNone;    ///< radius of the circle through three points; NaN if they are on a line
    double diameter = kNone;  ///< diameter of that circle; NaN if the points are on a line
    bool edgesCross = false;  ///< whether edges cross in the projection
};

/// Returns the values of a measure; all are NaN if it has fewer points than its kind needs. @param up unit
/// vector of the up axis
MeasureValues valuesOf(const Measure& measure, Vec3d up);

/// Returns the name of a snap in files: "scan point", "surface" or "section line".
std::string_view snapKeyOf(MeasureSnap snap);

/// Writes the measures as CSV, with one row per point, which begins with the values of its measure. The
/// header names the unit ("distance_ft", "area_ft2"). Numbers have enough digits to read back the same value;
/// undefined values are empty.
std::string toCsv(const MeasureList& measures, Vec3d up, LengthUnit unit);

} // namespace scanloupe
