#pragma once
// Declares what a run gives: its results under shared ownership, and the rendered picture.
#include "engine/cloud/point_cloud.h"
#include "engine/io/volume/read_volume.h"
#include "engine/recipe/recipe.h"
#include "engine/results/chosen_points.h"
#include "engine/results/device_or_host.h"
#include "engine/results/kernel_points.h"
#include "engine/results/quality.h"
#include "engine/results/stage_cache.h"
#include "engine/results/timings.h"
#include "engine/results/voxel_attributes.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/section/section_lines.h"
#include "kernels/raster/core/raster_scene.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace scanloupe {

struct ClassColours;
struct Reference;

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
    Recipe recipe;                           ///< as requested
    Recipe resolved;                         ///< with all values chosen from the data
    std::shared_ptr<const PointCloud> input; ///< as it was read; null for a volume
    std::shared_ptr<const PointCloud> cloud; ///< with its edits; null for a volume
    std::shared_ptr<const Volume> volume;    ///< null for a cloud
    std::shared_ptr<const HostPoints> points;
    std::shared_ptr<const ChosenPoints> chosen; ///< null if nothing is selected
    std::shared_ptr<const Reference> reference; ///< that layers have compared points with last; or null
    std::vector<std::string> missingReferences; ///< files of models that layers name and that are not there
    DeviceOrHost<VoxelGrid> voxels;             ///< empty handle for a volume
    /// Attributes of points and voxels, each made when it is first asked for; null for a volume.
    std::shared_ptr<const VoxelAttributes> attributes;
    /// What the voxel view shows: the voxels as brushes have left them, or those that a volume's surface lies
    /// in, and their attributes; else those above.
    DeviceOrHost<VoxelGrid> shownVoxels;
    std::shared_ptr<const VoxelAttributes> shownAttributes;
    DeviceOrHost<ScalarField> field;
    DeviceOrHost<TriangleMesh> mesh;             ///< after clean-up
    std::shared_ptr<const CleanUp> cleanUp;      ///< null if the recipe has none
    std::shared_ptr<const SectionLines> section; ///< null if the recipe has none
    /// [M] metres; null unless the recipe colours by them.
    std::shared_ptr<const Buffer<float>> vertexDistances;
    std::shared_ptr<const Picture> picture;     ///< null if no picture was wanted
    std::shared_ptr<const MeshQuality> quality; ///< null until this mesh was measured
    RunTimings timings;
    std::vector<std::string> notes; ///< sentences about chosen parameters and dropped data
    bool preview = false;           ///< coarser than the recipe, see RunOptions::preview
    /// Which results these are. Of the quality only if all points were measured: colours depend on no other.
    ResultIdentities identities;
    /// When the last step on it had ended, device work included.
    std::chrono::steady_clock::time_point finished;

    Vec3d origin() const { return cloud ? cloud->origin() : Vec3d{}; }
};

/// Whether a view that `stage` declares (Stage::voxelView, Stage::meshView) shows the same of both.
bool looksTheSame(Stage stage, const Snapshot& a, const Snapshot& b);

} // namespace scanloupe
