#pragma once
// Declares the recipe: the parameters of all stages. Their names, units, limits and meaning are declared in
// parameters.h.
#include "engine/edit/edits.h"
#include "engine/recipe/section.h"
#include "engine/recipe/up_axis.h"
#include "kernels/core/vec3.h"
#include "kernels/field/core/scalar_field.h"
#include "kernels/raster/colours/colour_map.h"
#include "kernels/raster/core/camera.h"
#include "kernels/raster/core/raster_scene.h"
#include "kernels/voxelize/values/voxel_order.h"

#include <cstdint>
#include <optional>
#include <string>

namespace scanloupe {

/// The primitives that the software-rasterized picture shows.
enum class PictureContent : std::uint8_t { points, voxels, mesh };

/// Preset views for recipes without a camera, looking at the middle of the range. Automatic is the sensor's
/// own view for an organized cloud (from a depth camera), else oblique.
enum class ViewPreset : std::uint8_t { automatic, oblique, top, bottom, front, back, left, right, sensor };

/// The side of the iso-value whose samples are inside the surface of a volume.
enum class InsideSide : std::uint8_t { above, below };

/// Whether a mesh's quality is measured, and at how many points.
enum class QualityChoice : std::uint8_t {
    automatic, ///< sample: in the window, and on the command line if a mesh is written
    off,
    sample, ///< distances at every n-th point, at most a million points
    all,    ///< distances at every point
};

/// A recipe. A parameter without a value is chosen from the data (see defaults.h).
struct Recipe {
    std::optional<Vec3d> rangeMin, rangeMax; ///< file's frame and unit
    double rangeRotation = 0;                ///< degrees about the up axis, through the middle of the range
    bool rangeInverted = false;              ///< keeps the points outside the range
    std::optional<Vec3d> outerMin, outerMax; ///< outer limits of an inverted range
    std::optional<Section> section;          ///< none: no section is cut
    std::optional<Vec3d> voxelSize;
    std::uint64_t maxVoxels = 0;             ///< 0: no limit
    VoxelOrder voxelOrder = VoxelOrder::key; ///< order in which maxVoxels keeps voxels, and order in files
    std::uint32_t maxPointsPerVoxel = 0;     ///< 0: no limit
    VoxelizeStrategy voxelStrategy = VoxelizeStrategy::automatic;

    std::optional<FieldKind> field;
    std::optional<double> radius;
    std::optional<Vec3d> sensor; ///< file's frame; no value: unknown
    std::optional<double> iso;
    InsideSide inside = InsideSide::above; ///< for a volume

    std::uint64_t minComponentTriangles = 0; ///< smaller connected components are removed; 0: none
    std::uint64_t decimateTo = 0;            ///< maximum number of triangles; 0: no limit
    std::uint32_t smoothSteps = 0;           ///< SmoothParams::steps; 0: the surface is not smoothed
    double smoothPassBand = 0.1;             ///< SmoothParams::passBand
    QualityChoice quality = QualityChoice::automatic;

    PictureContent show = PictureContent::mesh;
    std::string colourBy = "auto"; ///< auto, a key of colourModes(), or an attribute's name
    ColourMapName colourMap = ColourMapName::viridis;
    bool colourReversed = false;
    double tolerance = 0;                        ///< metres; divides deviations into bands of colours; 0: no
                                                 ///< bands
    std::optional<double> colourLow, colourHigh; ///< values at the ends of the colour map; either both or
                                                 ///< none are set
    double pointSize = 2;
    double pointExtent = 0;
    PointBlend points = PointBlend::nearest;
    double voxelScale = 1;
    bool backFaces = true;
    bool light = true;
    bool eyeDome = true;
    double eyeDomeStrength = 1;
    std::uint32_t samples = 16; ///< samples per pixel of a still picture

    std::uint32_t imageWidth = 1280, imageHeight = 720;
    /// Up axis for views, orbits and heights. Automatic without a value, with z as the last resort.
    std::optional<UpAxis> up;
    ViewPreset view = ViewPreset::automatic;
    std::optional<Camera> camera; ///< file's frame; overrides `view`
    Edits edits;                  ///< manual edits; not a parameter

    bool operator==(const Recipe&) const = default;
};

} // namespace scanloupe
