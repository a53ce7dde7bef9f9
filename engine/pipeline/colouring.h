#pragma once
// Which colours points, voxels and mesh get.
#include "engine/pipeline/recipe.h"
#include "engine/pipeline/upload.h"
#include "kernels/mesh/triangle_mesh.h"
#include "kernels/raster/rasterizer.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

/// A class and its colour, for a legend.
struct ClassColour {
    std::string text; ///< "2 Ground"
    std::uint32_t rgba = 0;
    bool operator==(const ClassColour&) const = default;
};
/// A class as people read it: its number, and its name where it has one.
std::string classText(const Category& category, std::uint32_t code);

/// The classes that are shown, in ascending order.
struct ClassColours {
    static constexpr std::size_t kMostListed = 64;
    std::vector<ClassColour> listed; ///< the first of them
    std::size_t count = 0;           ///< of all that are shown; 0: colours stand for something else
    bool operator==(const ClassColours&) const = default;
};

/// Colours of one kind of primitive; owns what `colouring()` points to.
struct ColourValues {
    Buffer<float> values;       ///< [count], or empty
    Buffer<std::uint32_t> rgba; ///< [count], or empty
    float low = 0, high = 1;
    const std::uint32_t* map = nullptr; ///< [256]
    ClassColours classes;               ///< what `rgba` stands for, where that is classes

    Colouring colouring() const;
    /// The colours themselves, [count] RGBA; only of values on the host.
    std::vector<std::uint32_t> toRgba(std::size_t count) const;
};

/// What colours are taken from, all on the host or all on the device; `points` and `voxels` are null for a
/// volume.
struct ColourSource {
    const PointCloud* cloud = nullptr;
    const KernelPoints* points = nullptr;
    const VoxelGrid* voxels = nullptr;
    Vec3d origin; ///< heights are shown in the file's frame
    std::span<const float> vertexDistances =
        {};                                     ///< [M] metres, of the mesh's vertices to the points; or none
    std::span<const float> pointDistances = {}; ///< [N] metres, of the points to the mesh; or none
    std::optional<StreamView> device = {};      ///< all but the distances lie there, and the colours will
};

/// What Recipe::colourBy calls the distance between mesh and points. Where it isn't known, nothing is
/// coloured.
inline constexpr const char* kPointDistance = "point_distance";

/// Whether a scan has colours of its own: red, green and blue, not all 0.
bool hasRgb(const PointCloud& cloud);

/// Whether colours of this can be worked out on the device: all but means over the points of a voxel.
bool canColourOnDevice(const Recipe& recipe);

/// The limits of the map are the middle 96 % of the voxels' values, so that all views of one scan share them.
/// Categorical attributes have a colour a class; voxels take their most frequent class.
/// @throws EngineError when the recipe colours by something that the scan doesn't have; Cancelled.
ColourValues colourPoints(const Recipe& recipe, const ColourSource& source, const std::stop_token& stop);
ColourValues colourVoxels(const Recipe& recipe, const ColourSource& source, const std::stop_token& stop);
/// A vertex takes the value of the voxel that it lies in, or of the nearest occupied one.
ColourValues colourMesh(const Recipe& recipe, const ColourSource& source, const TriangleMesh& mesh,
                        const std::stop_token& stop);

struct Snapshot;
/// What the colours of these results are taken from; it must outlive the source.
ColourSource colourSource(const Snapshot& snapshot);
/// The same with these points and voxels in place of those on the host, for colours on the device.
ColourSource colourSource(const Snapshot& snapshot, const KernelPoints* points, const VoxelGrid* voxels);

} // namespace scanloupe
