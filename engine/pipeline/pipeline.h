#pragma once
// Declares the pipeline from a point cloud to voxels, field, mesh and picture, with cached stages.
#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/io/common/progress.h"
#include "engine/io/scan_reader.h"
#include "engine/io/volume/read_volume.h"
#include "engine/io/writers.h"
#include "engine/pipeline/defaults.h"
#include "engine/pipeline/device_or_host.h"
#include "engine/pipeline/quality.h"
#include "engine/pipeline/recipe.h"
#include "engine/pipeline/timings.h"
#include "engine/pipeline/upload.h"
#include "kernels/mesh/triangle_mesh.h"
#include "kernels/raster/rasterizer.h"
#include "kernels/voxelize/voxel_grid.h"

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

class PictureScene;
struct ClassColours;

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
    std::shared_ptr<const PointCloud> cloud; ///< null for a volume
    std::shared_ptr<const Volume> volume;    ///< null for a cloud
    std::shared_ptr<const KernelPoints> points;
    DeviceOrHost<VoxelGrid> voxels; ///< empty handle for a volume
    DeviceOrHost<ScalarField> field;
    DeviceOrHost<TriangleMesh> mesh;        ///< after clean-up
    std::shared_ptr<const CleanUp> cleanUp; ///< null if the recipe has none
    /// [M] metres; null unless the recipe colours by them.
    std::shared_ptr<const Buffer<float>> vertexDistances;
    std::shared_ptr<const Picture> picture;     ///< null if no picture was wanted
    std::shared_ptr<const MeshQuality> quality; ///< null until this mesh was measured
    RunTimings timings;
    std::vector<std::string> notes; ///< sentences about chosen parameters and dropped data
    bool preview = false;           ///< coarser than the recipe, see RunOptions::preview
    /// When the last step on it had ended, device work included.
    std::chrono::steady_clock::time_point finished;

    Vec3d origin() const { return cloud ? cloud->origin() : Vec3d{}; }
};

/// The number of points that quality is measured with.
enum class QualityEffort : std::uint8_t {
    quick, ///< distances of some thousand points, for live display while a slider moves
    full,  ///< distances of as many points as the recipe says
};

struct RunOptions {
    bool picture = true; ///< rasterize a picture
    /// If voxels or field are not cached, compute them from every 8th point in voxels of twice the size:
    /// takes a fraction of the time, for use while a slider moves.
    bool preview = false;
    ProgressFunction progress = {};
    /// Time budget for drawing very many points, wall ms; refine() draws those that are missing then. 0: no
    /// limit.
    double pictureMs = 0;
    bool quality = false; ///< measure the mesh after the picture, unless the recipe says off
};

/// A renderable scene, and the camera of its recipe in the file's frame.
struct PictureSource {
    std::shared_ptr<const PictureScene> scene;
    Camera camera;
};

/// Runs the stages and caches the last result of each. One thread at a time.
class Pipeline {
public:
    explicit Pipeline(BackendChoice backend);
    ~Pipeline();
    Pipeline(const Pipeline&) = delete;
    Pipeline& operator=(const Pipeline&) = delete;

    /// Sets the input of the next runs, and releases the results of the last input. `readMs`: duration of
    /// reading it, for the timings.
    void setInput(std::shared_ptr<const PointCloud> cloud, double readMs);
    void setInput(std::shared_ptr<const Volume> volume, double readMs);
    /// Limits the host memory of each stage; 0: the memory available when it begins.
    void setMemoryLimit(std::uint64_t bytes);
    /// Limits the device memory; a cloud that needs more is voxelized in pieces.
    void setDeviceMemoryLimit(std::uint64_t bytes);
    const BackendChoice& backend() const;

    /// Runs the stages that are stale for `recipe`. Stages that ended before a cancel or an error keep their
    /// results. @throws EngineError when a parameter is outside its limits, no point is in range, or memory
    /// is too small; KernelError; Cancelled.
    Snapshot run(const Recipe& recipe, const RunOptions& options, const std::stop_token& stop);

    /// The results of the last run with the quality of their mesh, which is measured here so that neither the
    /// run nor its picture waits for it.
    /// @throws EngineError when memory is too small; KernelError; Cancelled.
    Snapshot measure(const Snapshot& last, QualityEffort effort, const std::stop_token& stop);

    /// The results of the last run with a complete picture, the mean of `samples` samples a pixel; only
    /// missing samples are rendered. Returns `last` unchanged if no sample is missing, or without a picture.
    /// @throws EngineError when memory is too small; KernelError; Cancelled.
    Snapshot refine(const Snapshot& last, int samples, const std::stop_token& stop);

    /// The scene and the camera of the last run, for pictures of other sizes. Copies from the device are
    /// added to the timings of `last`. @throws EngineError; KernelError; Cancelled.
    PictureSource pictureSource(Snapshot& last, const std::stop_token& stop);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// Whether these results have quality measures from as many points as `effort` wants.
bool isMeasured(const Snapshot& snapshot, QualityEffort effort);

/// Colours of the mesh's vertices as in its picture, for export: [M] RGBA. @throws EngineError; Cancelled.
std::vector<std::uint32_t> meshVertexColours(const Snapshot& snapshot, const std::stop_token& stop);

/// Attributes of the voxels at the mesh's vertices, for export; none for a volume.
/// @throws KernelError; Cancelled.
std::vector<MeshChannel> meshVertexChannels(const Snapshot& snapshot, const std::stop_token& stop);

} // namespace scanloupe
