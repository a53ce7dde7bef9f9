#pragma once
// Declares the mapping from attributes, classes and distances to the colours of points, voxels and meshes.
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/raster/core/raster_scene.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

struct Category;
struct ChosenPoints;
class HostPoints;
struct KernelPoints;
class PointCloud;
struct Recipe;
struct Snapshot;
class VoxelAttributes;

/// A class and its colour, for a legend.
struct ClassColour {
    std::string text; ///< "2 Ground"
    std::uint32_t rgba = 0;
    bool operator==(const ClassColour&) const = default;
};
/// A class for display: its number, and its name if it has one.
std::string classText(const Category& category, std::uint32_t code);

/// The classes that are shown, in ascending order.
struct ClassColours {
    static constexpr std::size_t kMaxListed = 64;
    std::vector<ClassColour> listed; ///< the first kMaxListed classes
    std::size_t count = 0;           ///< number of all shown classes; 0: colours don't show classes
    bool operator==(const ClassColours&) const = default;
};

/// Colours of one kind of primitive. Owns the memory that `colouring()` refers to.
struct ColourValues {
    Buffer<float> values;       ///< [count], or empty
    Buffer<std::uint32_t> rgba; ///< [count], or empty; wins over the values
    float low = 0, high = 1;
    const std::uint32_t* map = nullptr; ///< [256]
    ClassColours classes;               ///< the classes that `rgba` shows, if any

    Colouring colouring() const;
    /// The mapped colours, [count] RGBA; for values on the host only.
    std::vector<std::uint32_t> toRgba(std::size_t count) const;
};

/// The data that colours are computed from, all on the host or all on the device; `points`, `voxels`
/// and `attributes` are null for a volume.
struct ColourSource {
    const PointCloud* cloud = nullptr;
    const HostPoints* points = nullptr;
    const KernelPoints* devicePoints = nullptr; ///< for colours of points on the device
    const VoxelGrid* voxels = nullptr;
    const VoxelAttributes* attributes = nullptr; ///< attributes of points and voxels; in both memory spaces
    Vec3d origin;                                ///< heights are shown in the file's frame
    std::span<const float> vertexDistances = {}; ///< [M] metres, of the vertices to the points; or empty
    std::span<const float> pointDistances = {};  ///< [N] metres, of the points to the mesh; or empty
    /// The selected points, whose colours are mixed with kChosenColour; null if none is shown.
    const ChosenPoints* chosen = nullptr;
    /// The inputs except the distances, and all results, are on the device of this stream; none: on the host.
    std::optional<StreamView> device = {};
};

/// Whether colours are bands of deviations about a tolerance.
bool showsTolerance(const Recipe& recipe);
/// The colour map that values are shown with.
std::span<const std::uint32_t, 256> colourMapOf(const Recipe& recipe);

/// Whether these colours can be computed on the device: all except mean point distances of voxels.
bool canColourOnDevice(const Recipe& recipe);

/// The colour map spans the recipe's limits, else the middle 96 % of the voxels' values, so that all views of
/// a scan share them. Categorical attributes have a colour for each class; a voxel has that of its most
/// frequent class.
/// @throws EngineError when the recipe colours by an attribute that the scan doesn't have; Cancelled.
ColourValues colourPoints(const Recipe& recipe, const ColourSource& source, const std::stop_token& stop);
ColourValues colourVoxels(const Recipe& recipe, const ColourSource& source, const std::stop_token& stop);
/// A vertex has the value of the voxel that contains it, or of the nearest occupied one.
ColourValues colourMesh(const Recipe& recipe, const ColourSource& source, const TriangleMesh& mesh,
                        const std::stop_token& stop);

/// The source for the colours of these results. @note `snapshot` must outlive it.
ColourSource colourSource(const Snapshot& snapshot);
/// The same with other voxels than those on the host, and points, for colours on the device.
/// @param devicePoints null where no points are coloured
ColourSource colourSource(const Snapshot& snapshot, const KernelPoints* devicePoints,
                          const VoxelGrid* voxels);
/// The source for the colours of Snapshot::shownVoxels. @param voxels its voxels on the host or the device
ColourSource shownVoxelSource(const Snapshot& snapshot, const VoxelGrid* voxels);

} // namespace scanloupe
