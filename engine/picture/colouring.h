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
/// Returns the text of a class for display: its number, and its name if it has one.
std::string classText(const Category& category, std::uint32_t code);

/// The shown classes, in ascending order.
struct ClassColours {
    static constexpr std::size_t kMaxListed = 64;
    std::vector<ClassColour> listed; ///< the first kMaxListed shown classes
    std::size_t count = 0;           ///< number of all shown classes; 0: colours do not show classes
    bool operator==(const ClassColours&) const = default;
};

/// Colours of one kind of primitive. Owns the memory to which `colouring()` refers.
struct ColourValues {
    Buffer<float> values;       ///< [count], or empty
    Buffer<std::uint32_t> rgba; ///< [count], or empty; takes precedence over `values`
    float low = 0, high = 1;
    const std::uint32_t* map = nullptr; ///< [256] RGBA colour map
    ClassColours classes;               ///< classes that `rgba` shows; may be empty

    Colouring colouring() const;
    /// Returns the mapped colours, [count] RGBA; only for values on the host.
    std::vector<std::uint32_t> toRgba(std::size_t count) const;
};

/// The data from which colours are computed, all on the host or all on the device. `points`, `voxels` and
/// `attributes` are null for a volume.
struct ColourSource {
    const PointCloud* cloud = nullptr;
    const HostPoints* points = nullptr;
    const KernelPoints* devicePoints = nullptr; ///< needed to colour points on the device
    const VoxelGrid* voxels = nullptr;
    const VoxelAttributes* attributes = nullptr; ///< attributes of points and voxels, in both memory spaces
    Vec3d origin;                                ///< added to positions, because heights are shown in the
                                                 ///< file's frame
    std::span<const float> vertexDistances = {}; ///< [M] distances from the vertices to the points, metres;
                                                 ///< may be empty
    std::span<const float> pointDistances = {};  ///< [N] distances from the points to the mesh, metres; may
                                                 ///< be empty
    /// The selected points, whose colours are mixed with kChosenColour; null if no selection is shown.
    const ChosenPoints* chosen = nullptr;
    /// Stream of the device that holds all inputs except the distances, and all results; none: they are on
    /// the host.
    std::optional<StreamView> device = {};
};

/// Whether colours show bands of deviations relative to a tolerance.
bool showsTolerance(const Recipe& recipe);
/// Returns the colour map with which values are shown.
std::span<const std::uint32_t, 256> colourMapOf(const Recipe& recipe);

/// Whether these colours can be computed on the device. Only mean point distances of voxels can't.
bool canColourOnDevice(const Recipe& recipe);

/// Returns the colours of points. The colour map spans the recipe's limits, or else the middle 96 % of the
/// voxels' values, so that all views of a scan have the same limits. Each class of a categorical attribute
/// has its own colour.
/// @throws EngineError if the recipe colours by an attribute that the scan lacks; Cancelled.
ColourValues colourPoints(const Recipe& recipe, const ColourSource& source, const std::stop_token& stop);
ColourValues colourVoxels(const Recipe& recipe, const ColourSource& source, const std::stop_token& stop);
/// Returns the colours of a mesh. A vertex has the value of the voxel that contains it, or of the nearest
/// occupied voxel.
ColourValues colourMesh(const Recipe& recipe, const ColourSource& source, const TriangleMesh& mesh,
                        const std::stop_token& stop);

/// Returns the source for the colours of these results. @param snapshot must outlive the result
ColourSource colourSource(const Snapshot& snapshot);
/// Same with the given points and voxels, such as those on the device, instead of the snapshot's voxels on
/// the host. @param devicePoints null if no points are coloured on the device
ColourSource colourSource(const Snapshot& snapshot, const KernelPoints* devicePoints,
                          const VoxelGrid* voxels);
/// Returns the source for the colours of Snapshot::shownVoxels. @param voxels these voxels, on the host or on
/// the device
ColourSource shownVoxelSource(const Snapshot& snapshot, const VoxelGrid* voxels);

} // namespace scanloupe
