#pragma once
// Declares the results of a run under shared ownership, including the rendered picture.
#include "engine/compute/device_or_host.h"
#include "engine/graph/result_identity.h"
#include "engine/graph/run_note.h"
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

/// Progress of a picture whose points are drawn in several parts.
struct PointParts {
    std::uint32_t drawn = 1, all = 1;
    bool operator==(const PointParts&) const = default;
};

/// A rasterized picture and its visibility buffer.
struct Picture {
    DeviceOrHost<VisibilityBuffer> visibility; ///< buffer of the primitives at the pixel centres, for any
                                               ///< number of samples; used for picking
    DeviceOrHost<Image> image;                 ///< mean of the samples
    int samples = 1;
    PointParts parts = {}; ///< incomplete if the time budget RunOptions::pictureMs was used up
    Camera camera;         ///< file's frame
    RasterStats stats;
    double resolveMs = 0;                           ///< wall time of shading, ms, if shading is separate from
                                                    ///< rasterization
    std::chrono::steady_clock::time_point finished; ///< time at which the image was complete
    bool mapped = false; ///< the colours show values between `low` and `high` by the recipe's colour map
    float low = 0, high = 0;
    std::shared_ptr<const ClassColours> classes; ///< classes that the colours show; null if they show no
                                                 ///< classes

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
    /// Reference with which the topmost comparing layer has compared the points; null if there is none.
    std::shared_ptr<const Reference> reference;
    std::vector<std::string> missingReferences; ///< model files that layers refer to but that are missing
    DeviceOrHost<VoxelGrid> voxels;             ///< empty handle for a volume
    /// Attributes of points and voxels, each computed on first use; null for a volume.
    std::shared_ptr<const VoxelAttributes> attributes;
    /// Content of the voxel view. After brush strokes these are the changed voxels, and for a volume the
    /// voxels that contain its surface, with their attributes; otherwise they equal `voxels` and
    /// `attributes`.
    DeviceOrHost<VoxelGrid> shownVoxels;
    std::shared_ptr<const VoxelAttributes> shownAttributes;
    DeviceOrHost<ScalarField> field;
    DeviceOrHost<TriangleMesh> mesh;             ///< the surface after clean-up
    std::shared_ptr<const CleanUp> cleanUp;      ///< null if the recipe has no clean-up
    std::shared_ptr<const SectionLines> section; ///< null if the recipe has no section
    /// [M] distances from the mesh's vertices to the points, metres; null unless the recipe colours by them.
    std::shared_ptr<const Buffer<float>> vertexDistances;
    std::shared_ptr<const Picture> picture;     ///< null if no picture was requested
    std::shared_ptr<const MeshQuality> quality; ///< null until the quality of this mesh was measured
    RunTimings timings;
    RunNotes notes;       ///< sentences about chosen parameters and dropped data
    bool preview = false; ///< coarser than the recipe requests, see RunOptions::preview
    /// Identities of the results. The quality's identity is set only if all points were measured, because
    /// colours depend on no other quality.
    ResultIdentities identities;
    /// Time at which the last step ended, including work on the device.
    std::chrono::steady_clock::time_point finished;

    Vec3d origin() const; ///< origin of the cloud; zero for a volume
};

/// Whether both snapshots give the same content in the view that `stage` declares (Stage::voxelView,
/// Stage::meshView).
bool looksTheSame(Stage stage, const Snapshot& a, const Snapshot& b);

} // namespace scanloupe
