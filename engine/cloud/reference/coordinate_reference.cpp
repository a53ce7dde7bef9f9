// Chooses the unit of a scan's coordinates from its file, its format or its bounds.
#include "engine/cloud/reference/coordinate_reference.h"

#include "engine/cloud/point_cloud.h"
#include "engine/cloud/reference/system_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace scanloupe {

namespace {

constexpr const char* kProject = "Project the scan to a system in metres or feet first, as PDAL's "
                                 "filters.reprojection does, or set another unit.";

/// Whether coordinates are in metres by definition: in generated scans, and in the formats E57 (ASTM E2807),
/// KITTI and nuScenes sweeps, and glTF 2.0.
bool isInMetres(const std::string& format) {
    return std::ranges::any_of(
        std::initializer_list<const char*>{"E57", "sweep of", "GLB", "glTF", kGeneratedFormat},
        [&](const char* begin) { return format.starts_with(begin); });
}

/// Whether coordinates without a system are probably longitude and latitude. Such coordinates are in the
/// valid range on the globe and far from zero relative to their extent. Their vertical extent is much larger
/// than the horizontal one, since a degree is about 100 km and heights are in metres.
bool looksGeographic(const Bounds& bounds) {
    // Minimum ratios to the horizontal extent: of the vertical extent, and of the distance from zero. A pole
    // near its scanner is closer to zero.
    constexpr double heights = 20, zero = 100;
    const Vec3d extent = bounds.max - bounds.min;
    const Vec3d middle = 0.5 * (bounds.max + bounds.min);
    const double wide = std::max(extent.x, extent.y);
    const bool onGlobe = std::max(std::abs(bounds.min.x), std::abs(bounds.max.x)) <= 180 &&
                         std::max(std::abs(bounds.min.y), std::abs(bounds.max.y)) <= 90;
    return onGlobe && wide > 0 && extent.z > heights * wide && std::hypot(middle.x, middle.y) > zero * wide;
}

/// Whether coordinates without a system are probably in millimetres: the scan has the proportions of an
/// object or a room, but the extent of a mountain.
bool looksLikeMillimetres(const Bounds& bounds) {
    constexpr double large = 500, largest = 200'000, flat = 0.1;
    const Vec3d extent = bounds.max - bounds.min;
    const double longest = std::max({extent.x, extent.y, extent.z});
    const double shortest = std::min({extent.x, extent.y, extent.z});
    return longest >= large && longest <= largest && shortest >= flat * longest;
}

void addNotes(CoordinateReference& reference, const SystemFacts& facts, const Bounds& bounds) {
    if (reference.unit == LengthUnit::degree)
        reference.notes.push_back(fmt::format(
            "{} degrees of longitude and latitude, which are not lengths: "
            "voxels, distances, areas and volumes are not true to scale. {}",
            reference.source == UnitSource::guessed ? "The file names no unit, but its coordinates look like"
                                                    : "The coordinates are",
            kProject));
    if (reference.source == UnitSource::person)
        return;
    if (!facts.problem.empty())
        reference.notes.push_back(fmt::format(
            "The coordinate system can't be interpreted: {}.{}", facts.problem,
            reference.source == UnitSource::assumed ? " Metres are assumed; otherwise set the unit." : ""));
    if (reference.unit == LengthUnit::unknown && facts.horizontal)
        reference.notes.push_back(fmt::format(
            "The unit of the coordinates is '{}', which is not supported: lengths are shown without a unit. "
            "Set the nearest unit, or convert the scan.",
            facts.horizontal->name));
    if (reference.source == UnitSource::assumed && looksLikeMillimetres(bounds)) {
        const Vec3d extent = bounds.max - bounds.min;
        reference.notes.push_back(fmt::format(
            "The size of the scan, {:.4g} x {:.4g} x {:.4g}, suggests millimetres, but its file names no "
            "unit: metres are assumed. Otherwise set the unit.",
            extent.x, extent.y, extent.z));
    }
    const bool isLength = reference.unit != LengthUnit::degree && reference.unit != LengthUnit::unknown;
    if (isLength && facts.horizontal && facts.vertical && facts.vertical->unit != reference.unit)
        reference.notes.push_back(fmt::format(
            "Heights are in another unit ({}) than x and y ({}): distances, slopes and volumes are wrong. "
            "Convert the heights to the unit of x and y first.",
            facts.vertical->unit == LengthUnit::unknown ? facts.vertical->name
                                                        : rowOf(facts.vertical->unit).name,
            rowOf(reference.unit).name));
}

CoordinateReference resolved(const std::string& text, bool inMetres, const Bounds& bounds,
                             const ChosenReference& chosen) {
    CoordinateReference reference;
    reference.systemText = chosen.system.value_or(text);
    SystemFacts facts = readSystemText(reference.systemText);
    reference.system = facts.name;
    reference.axes = facts.axes;
    if (!facts.horizontal && chosen.system) { // a coordinate system without a unit keeps the file's unit
        const SystemFacts ofFile = readSystemText(text);
        facts.horizontal = ofFile.horizontal;
        facts.vertical = ofFile.vertical;
    }
    if (chosen.unit) {
        reference.unit = *chosen.unit;
        reference.source = UnitSource::person;
    } else if (inMetres) {
        reference.source = UnitSource::file;
    } else if (facts.horizontal) {
        reference.unit = facts.horizontal->unit;
        reference.source = UnitSource::file;
    } else if ((facts.name.empty() || !facts.problem.empty()) && looksGeographic(bounds)) {
        reference.unit = LengthUnit::degree;
        reference.source = UnitSource::guessed;
    }
    addNotes(reference, facts, bounds);
    return reference;
}

} // namespace

CoordinateReference referenceOf(const PointCloud* cloud, const ChosenReference& chosen) {
    return cloud ? resolved(cloud->coordinateSystem, isInMetres(cloud->format), cloud->bounds(), chosen)
                 : resolved({}, false, {}, chosen);
}

const char* nameOf(UnitSource source) {
    constexpr const char* names[] = {"person", "file", "guessed", "assumed"};
    return names[std::size_t(source)];
}

std::string axesDescription(const CoordinateReference& reference) {
    std::vector<std::string> all;
    for (const SystemAxis& axis : reference.axes)
        all.push_back(axis.abbreviation.empty()
                          ? fmt::format("{} ({})", axis.name, axis.direction)
                          : fmt::format("{} ({}, {})", axis.name, axis.abbreviation, axis.direction));
    return fmt::format("{}", fmt::join(all, ", "));
}

std::string unitDescription(const CoordinateReference& reference) {
    const LengthUnitRow& row = rowOf(reference.unit);
    const char* source = reference.source == UnitSource::assumed   ? ", assumed"
                         : reference.source == UnitSource::guessed ? ", guessed"
                                                                   : "";
    return row.metres > 0 ? fmt::format("{} ({}){}", row.name, row.symbol, source)
                          : fmt::format("{}{}", row.name, source);
}

} // namespace scanloupe
