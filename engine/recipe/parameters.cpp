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

// Automatic values for scans from a nanometre to a star's size must be within the limits, too, or else a
// saved recipe could not be loaded. Kernels compute in single precision, which can represent them all.
constexpr double kFarthest = 1e15; // metres
constexpr double kFinest = 1e-15;
constexpr double kLargest = 1e38; // of a field: points a cubic metre

/// Binds a parameter with a single value to a member of Recipe that a number converts to.
template <class T>
void bindMember(Parameter& p, T Recipe::*member) {
    p.get = [member](const Recipe& r) { return std::vector<double>{static_cast<double>(r.*member)}; };
    p.set = [member](Recipe& r, const Values& v) {
        r.*member = v ? static_cast<T>((*v)[0]) : Recipe{}.*member;
    };
}
/// Binds an optional member, without a value until it is chosen from the data.
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

/// A parameter that is bound to no member of Recipe yet.
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

/// A parameter of several numbers, without a value by default.
Parameter numbers(Stage stage, const char* key, const char* label, const char* unit,
                  std::vector<std::string> components, Limits limits, const char* help) {
    Parameter p = unbound(stage, ParameterKind::real, key, label, unit, std::move(components), limits, help);
    p.fromData = true;
    return p;
}

/// A parameter of the corners of a box.
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
    Parameter p =
        numbers(Stage::voxelize, "section", "Section", "m", {"x", "y", "z", "dx", "dy", "dz", "thickness"},
                {-kFarthest, kFarthest},
                "A slab that the scan is cut to, in the file's frame: a point in the middle of it, the "
                "direction across it, and its thickness: x,y,z,dx,dy,dz,thickness. Its middle plane cuts "
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
/// A parameter of three lengths, chosen from the data by default.
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
    const std::string help = "What the colours show: " + colourModesText() +
                             "; classes have a colour each. auto: rgb where the scan has it, else height.";
    Parameter p =
        unbound(Stage::scene, ParameterKind::text, "colour_by", "Colour by", "", {""}, {0, 0}, help.c_str());
    p.getText = [](const Recipe& r) { return r.colourBy; };
    p.setText = [](Recipe& r, const std::string& text) { r.colourBy = text; };
    return p;
}

Parameter colourLimits() {
    Parameter p = numbers(
        Stage::scene, "colour_limits", "Colour limits", "", {"lowest", "highest"}, {-kLargest, kLargest},
        "The values at the ends of the colour map, in the unit of what the colours show: "
        "lowest,highest. Values beyond have the colours of the ends. Chosen from the data: the "
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
            "The box that the scan is cropped to, in the file's frame: xmin,ymin,zmin,xmax,ymax,zmax. Points "
            "on the upper faces are outside. Chosen from the data: its bounds, without a few far outliers."),
        number(Stage::voxelize, ParameterKind::real, "range_rotation", "Rotation", "°", {-180, 180},
               &Recipe::rangeRotation,
               "Turns the range about the up axis through its middle, counter-clockwise as seen from above."),
        number(Stage::voxelize, ParameterKind::flag, "range_inverted", "Inverted", "", {0, 1},
               &Recipe::rangeInverted, "Keep the points outside the range, up to the outer range."),
        setByViews(
            box(Stage::voxelize, "outer_range", "Outer range", &Recipe::outerMin, &Recipe::outerMax,
                "The box that the outside of an inverted range reaches to. Chosen from the data: its bounds, "
                "without a few far outliers, and with the range.")),
        section(),
        triple(Stage::voxelize, "voxel_size", "Voxel size", {kFinest, kFarthest, true}, &Recipe::voxelSize,
               "Edge lengths of a voxel: one number, or x,y,z. Chosen from the data: so that the first "
               "picture has some 300,000 voxels, or several points a voxel in a small scan."),
        number(Stage::voxelize, ParameterKind::integer, "max_voxels", "Max. voxels", "", {0, 1e12},
               &Recipe::maxVoxels,
               "Maximum number of voxels, the first in their order; dropped ones are counted. 0: no limit."),
        choice(Stage::voxelize, "voxel_order", "Order of voxels", {"key", "first-point"}, &Recipe::voxelOrder,
               "Which voxels come first, for the limit and in files. key: sorted by z, y, x. first-point: in "
               "the order of their first points in the scan, as in the hard voxelization of detectors "
               "(spconv, mmdet3d)."),
        number(Stage::voxelize, ParameterKind::integer, "max_points_per_voxel", "Max. points a voxel", "",
               {0, 4e9}, &Recipe::maxPointsPerVoxel,
               "Maximum number of points to average in a voxel, the first ones; dropped ones are counted. 0: "
               "no limit."),
        choice(Stage::voxelize, "voxel_strategy", "Strategy", voxelizeStrategyNames(), &Recipe::voxelStrategy,
               "Algorithm of voxelization: all give the same voxels, at different speeds. auto takes the "
               "fastest that applies; the timings show which one and why."),
        choice(
            Stage::field, "field", "Field", {"occupancy", "density", "distance"}, &Recipe::field,
            "What the surface is taken from: occupancy (blocks), density (points a cubic unit of length) or "
            "distance (a signed distance to the scanned surface). Chosen from the data: distance when "
            "normals or the sensor's position are known, or most voxels are flat, as on surfaces; else "
            "occupancy, as for vegetation."),
        number(Stage::field, ParameterKind::real, "radius", "Radius", "m", {0, kFarthest, true},
               &Recipe::radius,
               "Distance over which a point contributes to the field: smoothing of occupancy, spread of "
               "density, neighbourhood of the signed distance. Chosen from the voxel size."),
        triple(Stage::field, "sensor", "Sensor", {-kFarthest, kFarthest}, &Recipe::sensor,
               "Position of the scanner, in the file's frame: surfaces face it. Used if the file has neither "
               "normals nor a sensor position for each point. Chosen from the data: the file's, else a guess "
               "when the points lie around the file's origin as one scanner sees them; else none, and "
               "neighbours agree on a side."),
        number(Stage::shownVoxels, ParameterKind::real, "iso", "Iso-value", "", {-kLargest, kLargest},
               &Recipe::iso,
               "Where the surface lies in the field: 0 to 1 for occupancy, points a cubic unit of length for "
               "density, a length for distance (0 is the surface), and for a volume one of its values; those "
               "of 8 and 16 bits are divided by the largest of their type (255, 127, 65535 or 32767). Chosen "
               "from the field, so that for density it follows the radius."),
        choice(Stage::field, "inside", "Inside", {"above", "below"}, &Recipe::inside,
               "Whether values above or below the iso-value are inside of the surface of a volume."),
        number(Stage::clean, ParameterKind::integer, "min_component_triangles", "Smallest part", "", {0, 1e9},
               &Recipe::minComponentTriangles,
               "Remove connected parts of the surface that have fewer triangles than this; what goes is "
               "counted. 0: keep all."),
        number(Stage::clean, ParameterKind::integer, "decimate_to", "Max. triangles", "", {0, 4e9},
               &Recipe::decimateTo,
               "Maximum number of triangles: vertices close to each other are merged. 0: keep all."),
        number(Stage::smooth, ParameterKind::integer, "smooth_steps", "Smoothing steps", "", {0, 50},
               &Recipe::smoothSteps,
               "Steps of a low-pass filter (Taubin) that moves the vertices of the surface: noise falls, the "
               "volume stays. More steps cut off shorter waves more sharply. 0: off."),
        number(
            Stage::smooth, ParameterKind::real, "smooth_pass_band", "Pass band", "", {0.01, 0.2, true},
            &Recipe::smoothPassBand,
            "What smoothing keeps: frequencies on the surface below this value, from 0 (flat) to 2 (vertex "
            "against vertex). Lower values smooth wider shapes."),
        choice(Stage::scene, "show", "Picture of", {"points", "voxels", "mesh"}, &Recipe::show,
               "What the software-rasterized picture shows."),
        colourBy(),
        choice(Stage::scene, "colour_map", "Colour map", colourMapNames(), &Recipe::colourMap,
               "The colour map of values. Classes have fixed colours."),
        number(Stage::scene, ParameterKind::flag, "colour_reversed", "Reversed", "", {0, 1},
               &Recipe::colourReversed, "Turn the colour map around: its last colour for the lowest value."),
        colourLimits(),
        setByViews(number(
            Stage::scene, ParameterKind::real, "tolerance", "Tolerance", "m", {0, kFarthest, true},
            &Recipe::tolerance,
            "Deviations are shown in bands: within three quarters of the tolerance, up to it, and beyond, on "
            "both sides. 0: by the colour map.")),
        number(Stage::scene, ParameterKind::real, "point_size", "Point size", "px", {1, 64},
               &Recipe::pointSize, "Edge of the square that a point is drawn as."),
        number(Stage::scene, ParameterKind::real, "point_extent", "Point extent", "m", {0, 1000},
               &Recipe::pointExtent,
               "Edge of the square in the scan's own measure, where that is more than the point size: near "
               "points are drawn larger. 0: the point size alone."),
        choice(Stage::scene, "points", "Overlapping points", {"nearest", "averaged"}, &Recipe::points,
               "What a pixel shows of several points: the nearest one, or the mean colour of all within 1 % "
               "of its distance, which takes the noise out of the picture. While very many points move, and "
               "of classes: the nearest."),
        number(Stage::scene, ParameterKind::real, "voxel_scale", "Voxel scale", "", {0.05, 1},
               &Recipe::voxelScale,
               "Edge of the drawn box as a part of the voxel: below 1, gaps show the grid."),
        flag("back_faces", "Back faces", &Recipe::backFaces, "Draw triangles that are seen from behind."),
        flag("light", "Light", &Recipe::light, "Light voxels and triangles from the camera."),
        flag("eye_dome", "Eye-dome lighting", &Recipe::eyeDome,
             "Darken edges in depth, so that shape shows."),
        number(Stage::scene, ParameterKind::real, "eye_dome_strength", "Eye-dome strength", "", {0, 10},
               &Recipe::eyeDomeStrength, "How dark edges in depth become."),
        number(Stage::picture, ParameterKind::integer, "samples", "Samples a pixel", "", {1, kMaxSamples},
               &Recipe::samples,
               "Samples averaged in each pixel of a picture at rest, for smooth edges and details finer than "
               "a pixel. One while something moves. 1: the centre only."),
        setByViews(number(Stage::picture, ParameterKind::integer, "image_width", "Picture width", "px",
                          {1, 16384}, &Recipe::imageWidth, "Width of the picture.")),
        setByViews(number(Stage::picture, ParameterKind::integer, "image_height", "Picture height", "px",
                          {1, 16384}, &Recipe::imageHeight, "Height of the picture.")),
        choice(Stage::scene, "up", "Up", {"x", "-x", "y", "-y", "z", "-z"}, &Recipe::up,
               "The axis of the file's frame that points upwards: views, orbits and heights follow. Chosen "
               "from the data: z of surveys, sweeps and rooms; of an object the axis that it stands on a "
               "broad base along; of what lies before a depth camera -y."),
        setByViews(choice(
            Stage::picture, "view", "View",
            {"auto", "oblique", "top", "bottom", "front", "back", "left", "right", "sensor"}, &Recipe::view,
            "From where the range is looked at when no camera is given. auto: the sensor's own view for a "
            "depth camera's cloud, else oblique.")),
        choice(Stage::quality, "quality", "Mesh quality", {"auto", "off", "sample", "all"}, &Recipe::quality,
               "Quality figures of the mesh: parts, edges, holes, area, volume, and the distances from the "
               "points to the mesh; of a sample of a million points at most, or of all. auto: sample, in the "
               "window and where the command line writes a mesh."),
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
    throw EngineError(fmt::format("There is no parameter '{}'.", key),
                      "'scanloupe-cli recipe --list' names them all.");
}

} // namespace scanloupe
