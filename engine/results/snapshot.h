#pragma once
// Declares what a run gives: its results under shared ownership, and the rendered picture.
#include "engine/compute/device_or_host.h"
#include "engine/graph/result_identity.h"
#include "engine/graph/timings.h"
#include "engine/recipe/stored_recipe.h"
#include "kernels/field/core/scalar_field.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/section/section_lines.h"
#include "kernels/raster/core/camera.h"
#include "kernels/raster/core/raster_scene.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace scanloupe {

struct ChosenPoints;
struct ClassColours;
struct CleanUp;
class HostPoints;
struct MeshQuality;
class PointCloud;
struct Reference;
struct Volume;
class VoxelAttributes;

/// Progress of a picture whose points are drawn in parts.
struct PointParts {
    std::uint32_t drawn = 1, all = 1;
    bool operator==(const PointParts&) const = default;
};

/// A rasterized picture and its visibility buffer.
struct Picture {
    DeviceOrHost<VisibilityBuffer>
        visibility;            ///< at pixel centres, for any number of samples; used for picking
    DeviceOrHost<Image> image; ///< the mean of the samples
    int samples = 1;
    PointParts parts = {}; ///< incomplete if RunOptions::pictureMs was over
    Camera camera;         ///< file's frame
    RasterStats stats;
    double resolveMs = 0;                           ///< wall time of shading, if separate from rasterization
    std::chrono::steady_clock::time_point finished; ///< when its image was complete
    bool mapped = false; ///< colours are values between these limits, by the recipe's colour map
    float low = 0, high = 0;
    std::shared_ptr<const ClassColours> classes; ///< the classes that colours show; null if none

    bool isWhole() const { return parts.drawn == parts.all; }
};

/// The results of one run, under shared ownership. Coordinates of voxels, field and mesh are relative to
/// cloud->origin().
struct Snapshot {
    StoredRecipe recipe;                     ///< as requested
    StoredRecipe resolved;                   ///< with all automatic values
    std::shared_ptr<const PointCloud> input; ///< as it was read; null for a volume
    std::shared_ptr<const PointCloud> cloud; ///< with its edits; null for a volume
    std::shared_ptr<const Volume> volume;    ///< null for a cloud
    std::shared_ptr<const HostPoints> points;
    std::shared_ptr<const ChosenPoints> chosen; ///< null if nothing is selected
    /// Reference that layers have last compared points with; or null.
    std::shared_ptr<const Reference> reference;
    std::vector<std::string> missingReferences; ///< model files of layers that are missing
    DeviceOrHost<VoxelGrid> voxels;             ///< empty handle for a volume
    /// Attributes of points and voxels, each computed on first use; null for a volume.
    std::shared_ptr<const VoxelAttributes> attributes;
    /// Content of the voxel view: the voxels after brushes, or those that contain a volume's surface, and
    /// their attributes; otherwise those above.
    DeviceOrHost<VoxelGrid> shownVoxels;
    std::shared_ptr<const VoxelAttributes> shownAttributes;
    DeviceOrHost<ScalarField> field;
    DeviceOrHost<TriangleMesh> mesh;             ///< after clean-up
    std::shared_ptr<const CleanUp> cleanUp;      ///< null if the recipe has none
    std::shared_ptr<const SectionLines> section; ///< null if the recipe has none
    /// [M] metres; null unless the recipe colours by them.
    std::shared_ptr<const Buffer<float>> vertexDistances;
    std::shared_ptr<const Picture> picture;     ///< null if no picture was requested
    std::shared_ptr<const MeshQuality> quality; ///< null until this mesh was measured
    RunTimings timings;
    std::vector<std::string> notes; ///< sentences about chosen parameters and dropped data
    bool preview = false;           ///< coarser than the recipe, see RunOptions::preview
    /// Which results these are. Of the quality only if all points were measured: colours depend on no other.
    ResultIdentities identities;
    /// The end of its last step, device work included.
    std::chrono::steady_clock::time_point finished;

    Vec3d origin() const; ///< origin of the cloud; zero for a volume
};

/// Whether the content of a view that `stage` declares (Stage::voxelView, Stage::meshView) is the same for
/// both.
bool looksTheSame(Stage stage, const Snapshot& a, const Snapshot& b);

} // namespace scanloupe
