// Defines all parameters.
#include "engine/recipe/parameters.h"

#include "engine/cloud/error.h"
#include "engine/recipe/colour_mode.h"
#include "engine/recipe/recipe.h"
#include "kernels/raster/resolve/samples.h"

#include <algorithm>
#include <fmt/format.h>

namespace scanloupe {

namespace {

using Values = std::optional<std::vector<double>>;

// The limits must include the automatic values for scans of any size, from a nanometre to the size of a star;
// otherwise a saved recipe could not be loaded. Single precision, in which kernels compute, can represent all
// values within the limits.
constexpr double kFarthest = 1e15; // metres
constexpr double kFinest = 1e-15;
constexpr double kLargest = 1e38; // maximum value of a field: points per cubic metre

/// Binds a parameter with a single value to a member of Recipe that can be converted from a number.
template <class T>
void bindMember(Parameter& p, T Recipe::*member) {
    p.get = [member](const Recipe& r) { return std::vector<double>{static_cast<double>(r.*member)}; };
    p.set = [member](Recipe& r, const Values& v) {
        r.*member = v ? static_cast<T>((*v)[0]) : Recipe{}.*member;
    };
}
/// Binds a parameter to an optional member, which has no value until it is chosen from the data.
template <class T>
void bindMember(Parameter& p, std::optional<T> Recipe::*member) {
    p.fromData = true;
    p.get = [member](const Recipe& r) -> Values {
        if (!(r.*member))
            return std::nullopt;
        return std::vector<double>{static_cast<double>(*(r.*member))};
    };
    p.set = [member](Recipe& r, const Values& v) {
        r.*member = v ? std::optional<T>(static_cast<T>((*v)[0])) : std::nullopt;
    };
}

struct Limits {
    double min = 0, max = 1;
    bool logarithmic = false;
};

/// Returns a parameter that is not bound to a member of Recipe yet.
Parameter unbound(Stage stage, ParameterKind kind, const char* key, const char* label, const char* unit,
                  std::vector<std::string> components, Limits limits, const char* help) {
    return {key,        label,      unit,
            stage,      kind,       std::move(components),
            limits.min, limits.max, limits.logarithmic,
            false,      false,      {},
            help,       {},         {},
            {},         {}};
}

template <class M>
Parameter number(Stage stage, ParameterKind kind, const char* key, const char* label, const char* unit,
                 Limits limits, M member, const char* help) {
    Parameter p = unbound(stage, kind, key, label, unit, {""}, limits, help);
    bindMember(p, member);
    return p;
}
template <class M>
Parameter choice(Stage stage, const char* key, const char* label, std::vector<std::string> names, M member,
                 const char* help) {
    Parameter p =
        number(stage, ParameterKind::choice, key, label, "", {0, double(names.size()) - 1}, member, help);
    p.choices = std::move(names);
    return p;
}
Parameter setByViews(Parameter p) {
    p.setByViews = true;
    return p;
}
Parameter flag(const char* key, const char* label, bool Recipe::*member, const char* help) {
    return number(Stage::scene, ParameterKind::flag, key, label, "", {0, 1}, member, help);
}

Vec3d toVec(const std::vector<double>& v, std::size_t first) {
    return {v[first], v[first + 1], v[first + 2]};
}

/// Returns a parameter of several numbers, which has no value by default.
Parameter numbers(Stage stage, const char* key, const char* label, const char* unit,
                  std::vector<std::string> components, Limits limits, const char* help) {
    Parameter p = unbound(stage, ParameterKind::real, key, label, unit, std::move(components), limits, help);
    p.fromData = true;
    return p;
}

/// Returns a parameter for the corners of a box.
Parameter box(Stage stage, const char* key, const char* label, std::optional<Vec3d> Recipe::*low,
              std::optional<Vec3d> Recipe::*high, const char* help) {
    Parameter p = numbers(stage, key, label, "m", {"xmin", "ymin", "zmin", "xmax", "ymax", "zmax"},
                          {-kFarthest, kFarthest}, help);
    p.get = [low, high](const Recipe& r) -> Values {
        if (!(r.*low) || !(r.*high))
            return std::nullopt;
        const Vec3d a = *(r.*low), b = *(r.*high);
        return std::vector<double>{a.x, a.y, a.z, b.x, b.y, b.z};
    };
    p.set = [low, high](Recipe& r, const Values& v) {
        r.*low = v ? std::optional(toVec(*v, 0)) : std::nullopt;
        r.*high = v ? std::optional(toVec(*v, 3)) : std::nullopt;
    };
    return p;
}

Parameter section() {
    Parameter p = numbers(
        Stage::voxelize, "section", "Section", "m", {"x", "y", "z", "dx", "dy", "dz", "thickness"},
        {-kFarthest, kFarthest},
        "Keep only the points in a slab, given in the file's frame by a point of its middle plane, the "
        "normal of the plane, and its thickness: x,y,z,dx,dy,dz,thickness. The middle plane cuts "
        "the surface in lines. auto: no section.");
    p.get = [](const Recipe& r) -> Values {
        if (!r.section)
            return std::nullopt;
        const auto& [at, direction, thickness] = *r.section;
        return std::vector<double>{at.x, at.y, at.z, direction.x, direction.y, direction.z, thickness};
    };
    p.set = [](Recipe& r, const Values& v) {
        r.section = v ? std::optional(Section{toVec(*v, 0), toVec(*v, 3), (*v)[6]}) : std::nullopt;
    };
    return p;
}
/// Returns a parameter of three lengths, which is chosen from the data by default.
Parameter triple(Stage stage, const char* key, const char* label, Limits limits,
                 std::optional<Vec3d> Recipe::*member, const char* help) {
    Parameter p = numbers(stage, key, label, "m", {"x", "y", "z"}, limits, help);
    p.get = [member](const Recipe& r) -> Values {
        const std::optional<Vec3d>& v = r.*member;
        return v ? Values({v->x, v->y, v->z}) : std::nullopt;
    };
    p.set = [member](Recipe& r, const Values& v) {
        r.*member = v ? std::optional(toVec(*v, 0)) : std::nullopt;
    };
    return p;
}
Parameter colourBy() {
    const std::string help = "Value that is shown by colours: " + colourModesText() +
                             ". Each class of a categorical attribute has its own colour. auto: rgb if the "
                             "scan has colours, else height.";
    Parameter p =
        unbound(Stage::scene, ParameterKind::text, "colour_by", "Colour by", "", {""}, {0, 0}, help.c_str());
    p.getText = [](const Recipe& r) { return r.colourBy; };
    p.setText = [](Recipe& r, const std::string& text) { r.colourBy = text; };
    return p;
}

Parameter colourLimits() {
    Parameter p = numbers(Stage::scene, "colour_limits", "Colour limits", "", {"lowest", "highest"},
                          {-kLargest, kLargest},
                          "Values at the ends of the colour map, in the unit of the coloured values: "
                          "lowest,highest. Values outside get the colours of the ends. Automatic: the "
                          "middle 96 % of the voxels' values.");
    p.get = [](const Recipe& r) -> Values {
        if (!r.colourLow || !r.colourHigh)
            return std::nullopt;
        return std::vector<double>{*r.colourLow, *r.colourHigh};
    };
    p.set = [](Recipe& r, const Values& v) {
        r.colourLow = v ? std::optional((*v)[0]) : std::nullopt;
        r.colourHigh = v ? std::optional((*v)[1]) : std::nullopt;
    };
    return p;
}

std::vector<std::string> colourMapNames() {
    std::vector<std::string> names;
    names.reserve(std::size(kColourMapNames));
    for (const auto name : kColourMapNames)
        names.emplace_back(colourMapText(name));
    return names;
}

std::vector<Parameter> declare() {
    return {
        box(Stage::voxelize, "range", "Range", &Recipe::rangeMin, &Recipe::rangeMax,
            "Box to which the scan is cropped, in the file's frame: xmin,ymin,zmin,xmax,ymax,zmax. Points "
            "on its upper faces are outside. Automatic: the bounds of the scan without a few distant "
            "outliers."),
        number(
            Stage::voxelize, ParameterKind::real, "range_rotation", "Rotation", "°", {-180, 180},
            &Recipe::rangeRotation,
            "Rotation of the range about the up axis through its centre, counter-clockwise seen from above."),
        number(Stage::voxelize, ParameterKind::flag, "range_inverted", "Keep outside", "", {0, 1},
               &Recipe::rangeInverted, "Keep the points outside the range and inside the outer range."),
        setByViews(box(Stage::voxelize, "outer_range", "Outer range", &Recipe::outerMin, &Recipe::outerMax,
                       "Outer limits of an inverted range. Automatic: the bounds of the scan without a few "
                       "distant outliers, "
                       "extended to contain the range.")),
        section(),
        triple(Stage::voxelize, "voxel_size", "Voxel size", {kFinest, kFarthest, true}, &Recipe::voxelSize,
               "Edge lengths of a voxel: one number, or x,y,z. Automatic: about 300,000 voxels, or several "
               "points "
               "per voxel in a small scan."),
        number(Stage::voxelize, ParameterKind::integer, "max_voxels", "Max. voxels", "", {0, 1e12},
               &Recipe::maxVoxels,
               "Maximum number of voxels: the first ones in the order of voxels are kept, the number of "
               "dropped voxels is reported. 0: no limit."),
        choice(Stage::voxelize, "voxel_order", "Voxel order", {"key", "first-point"}, &Recipe::voxelOrder,
               "Order of the voxels in files and for the maximum number of voxels. key: sorted by z, y, x. "
               "first-point: in "
               "the order of their first points in the scan, as in the hard voxelization of detectors "
               "(spconv, mmdet3d)."),
        number(Stage::voxelize, ParameterKind::integer, "max_points_per_voxel", "Points per voxel", "",
               {0, 4e9}, &Recipe::maxPointsPerVoxel,
               "Maximum number of points per voxel: the first ones are kept, the number of dropped points is "
               "reported. 0: "
               "no limit."),
        choice(Stage::voxelize, "voxel_strategy", "Voxelization", voxelizeStrategyNames(),
               &Recipe::voxelStrategy,
               "Algorithm of voxelization: all give the same voxels, at different speeds. auto: the "
               "fastest suitable one; the timings show which one was used and why."),
        choice(Stage::field, "field", "Field", {"occupancy", "density", "distance"}, &Recipe::field,
               "Scalar field from which the surface is extracted: occupancy (blocks), density (points per "
               "cubic unit of length) or "
               "distance (signed distance to the scanned surface). Automatic: distance if "
               "normals or the sensor position are known, or if most voxels are planar, as on surfaces; else "
               "occupancy, as for vegetation."),
        number(
            Stage::field, ParameterKind::real, "radius", "Radius", "m", {0, kFarthest, true}, &Recipe::radius,
            "Distance up to which a point contributes to the field: smoothing radius of occupancy, spread of "
            "density, neighbourhood of the signed distance. Automatic: from the voxel size."),
        triple(
            Stage::field, "sensor", "Sensor position", {-kFarthest, kFarthest}, &Recipe::sensor,
            "Position of the scanner, in the file's frame; surfaces face it. Used if the file has neither "
            "normals nor a sensor position for each point. Automatic: the position in the file; else a guess "
            "if the points surround the file's origin as in a scan from there; else none, and "
            "neighbouring normals are oriented consistently."),
        number(Stage::shownVoxels, ParameterKind::real, "iso", "Iso-value", "", {-kLargest, kLargest},
               &Recipe::iso,
               "Value of the field at the surface: 0 to 1 for occupancy, points per cubic unit of length for "
               "density, a length for distance (0 is the scanned surface), and a sample value for a volume; "
               "samples "
               "of 8 and 16 bits are divided by the maximum of their type (255, 127, 65535 or 32767). "
               "Automatic: "
               "from the field."),
        choice(Stage::field, "inside", "Inside values", {"above", "below"}, &Recipe::inside,
               "For a volume: whether values above or below the iso-value are inside the surface."),
        number(Stage::clean, ParameterKind::integer, "min_component_triangles", "Min. part size", "",
               {0, 1e9}, &Recipe::minComponentTriangles,
               "Remove connected parts of the surface that have fewer triangles than this; removed parts are "
               "counted. 0: keep all."),
        number(
            Stage::clean, ParameterKind::integer, "decimate_to", "Max. triangles", "", {0, 4e9},
            &Recipe::decimateTo,
            "Maximum number of triangles: the surface is decimated by merging close vertices. 0: keep all."),
        number(Stage::smooth, ParameterKind::integer, "smooth_steps", "Smoothing steps", "", {0, 50},
               &Recipe::smoothSteps,
               "Steps of a low-pass filter (Taubin) that moves the vertices of the surface: noise is "
               "reduced, the "
               "volume is kept. More steps cut off short waves more sharply. 0: off."),
        number(Stage::smooth, ParameterKind::real, "smooth_pass_band", "Smooth pass band", "",
               {0.01, 0.2, true}, &Recipe::smoothPassBand,
               "Frequencies on the surface below this value are kept by smoothing, on a scale from 0 (flat) "
               "to 2 (adjacent "
               "vertices alternate). Lower values smooth wider shapes."),
        choice(Stage::scene, "show", "Rasterized view", {"points", "voxels", "mesh"}, &Recipe::show,
               "Content of the picture."),
        colourBy(),
        choice(Stage::scene, "colour_map", "Colour map", colourMapNames(), &Recipe::colourMap,
               "The colour map of values. Classes have fixed colours."),
        number(Stage::scene, ParameterKind::flag, "colour_reversed", "Reversed", "", {0, 1},
               &Recipe::colourReversed,
               "Reverse the colour map, so that the lowest value has its last colour."),
        colourLimits(),
        setByViews(number(Stage::scene, ParameterKind::real, "tolerance", "Tolerance", "m",
                          {0, kFarthest, true}, &Recipe::tolerance,
                          "Show deviations in bands: within three quarters of the tolerance, up to the "
                          "tolerance, and beyond, on "
                          "both sides. 0: use the colour map.")),
        number(Stage::scene, ParameterKind::real, "point_size", "Point size", "px", {1, 64},
               &Recipe::pointSize, "Edge of the square that is drawn for a point."),
        number(Stage::scene, ParameterKind::real, "point_extent", "Point size in 3D", "m", {0, 1000},
               &Recipe::pointExtent,
               "Minimum edge of the square of a point in the scan's unit of length, so that near "
               "points are drawn larger. 0: only the point size counts."),
        choice(Stage::scene, "points", "Overlapping points", {"nearest", "averaged"}, &Recipe::points,
               "Colour of a pixel with several points: that of the nearest point, or the mean colour of all "
               "points within 1 % "
               "of its distance, which reduces noise. While very many points move, and "
               "for classes, the nearest point is used."),
        number(Stage::scene, ParameterKind::real, "voxel_scale", "Voxel scale", "", {0.05, 1},
               &Recipe::voxelScale,
               "Edge of the drawn box relative to the voxel; below 1, gaps show the grid."),
        flag("back_faces", "Back faces", &Recipe::backFaces, "Draw triangles whose back faces the camera."),
        flag("light", "Light", &Recipe::light, "Light voxels and triangles from the camera."),
        flag("eye_dome", "Eye-dome lighting", &Recipe::eyeDome,
             "Darken depth edges, which makes the shape visible."),
        number(Stage::scene, ParameterKind::real, "eye_dome_strength", "Eye-dome strength", "", {0, 10},
               &Recipe::eyeDomeStrength, "Strength by which depth edges are darkened."),
        number(Stage::picture, ParameterKind::integer, "samples", "Samples per pixel", "", {1, kMaxSamples},
               &Recipe::samples,
               "Number of samples averaged in each pixel of a still picture, for smooth edges and details "
               "finer than "
               "a pixel. Moving pictures use one sample. 1: only the centre of the pixel."),
        setByViews(number(Stage::picture, ParameterKind::integer, "image_width", "Picture width", "px",
                          {1, 16384}, &Recipe::imageWidth, "Width of the picture.")),
        setByViews(number(Stage::picture, ParameterKind::integer, "image_height", "Picture height", "px",
                          {1, 16384}, &Recipe::imageHeight, "Height of the picture.")),
        choice(Stage::scene, "up", "Up axis", {"x", "-x", "y", "-y", "z", "-z"}, &Recipe::up,
               "Axis of the file's frame that points upwards, for views, orbits and heights. Automatic: "
               "z for surveys, sweeps and rooms; for an object, the axis across its "
               "broad base; -y for the view of a depth camera."),
        setByViews(choice(
            Stage::picture, "view", "View",
            {"auto", "oblique", "top", "bottom", "front", "back", "left", "right", "sensor"}, &Recipe::view,
            "Side from which the range is viewed if no camera is given. auto: the sensor's view for a "
            "depth camera's cloud, else oblique.")),
        choice(
            Stage::quality, "quality", "Mesh quality", {"auto", "off", "sample", "all"}, &Recipe::quality,
            "Measure the quality of the mesh: parts, edges, holes, area, volume, and the distances from the "
            "points to the mesh, for a sample of at most a million points or for all points. auto: sample, "
            "in the "
            "window and if the command line writes a mesh."),
    };
}

} // namespace

std::string Parameter::option() const {
    std::string name = "--" + key;
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
}

bool Parameter::isSame(const Recipe& a, const Recipe& b) const {
    return kind == ParameterKind::text ? getText(a) == getText(b) : get(a) == get(b);
}

std::span<const Parameter> parameters() {
    static const std::vector<Parameter> all = declare();
    return all;
}

const Parameter& parameter(std::string_view key) {
    for (const Parameter& p : parameters()) {
        if (p.key == key)
            return p;
    }
    throw EngineError(fmt::format("Unknown parameter '{}'.", key),
                      "'scanloupe-cli recipe --list' lists all parameters.");
}

} // namespace scanloupe
