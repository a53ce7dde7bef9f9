#pragma once
// The chain from a cloud to voxels, mesh and picture. Runs only what is stale.
#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/io/progress.h"
#include "engine/io/scan_reader.h"
#include "engine/io/writers.h"
#include "engine/pipeline/defaults.h"
#include "engine/pipeline/quality.h"
#include "engine/pipeline/recipe.h"
#include "engine/pipeline/resident.h"
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

/// How many parts of a picture's points there are, and how many of them it shows.
struct PointParts {
    std::uint32_t drawn = 1, all = 1;
    bool operator==(const PointParts&) const = default;
};

/// A rasterized picture and what stands behind its pixels.
struct Picture {
    Resident<VisibilityBuffer>
        visibility;        ///< of the pixels' centres, whatever `samples` is: what picking asks
    Resident<Image> image; ///< the mean of so many samples
    int samples = 1;
    PointParts parts = {}; ///< not all where RunOptions::pictureMs was over
    Camera camera;         ///< file's frame
    RasterStats stats;
    double resolveMs = 0; ///< wall time of shading, where that is apart from rasterizing
    std::chrono::steady_clock::time_point finished; ///< when its image was there
    bool mapped = false; ///< colours are values between these limits, by the recipe's map
    float low = 0, high = 0;
    std::shared_ptr<const ClassColours> classes; ///< what colours stand for, where that is classes; or null

    bool isWhole() const { return parts.drawn == parts.all; }
};

/// The results of one run; each part stays alive as long as somebody holds it. Coordinates of voxels, field
/// and mesh are relative to cloud->origin().
struct Snapshot {
    Recipe recipe;                           ///< as it was asked for
    Recipe resolved;                         ///< with everything that came from the data
    std::shared_ptr<const PointCloud> cloud; ///< null for a volume
    std::shared_ptr<const Volume> volume;    ///< null for a cloud
    std::shared_ptr<const KernelPoints> points;
    Resident<VoxelGrid> voxels; ///< of nothing for a volume
    Resident<ScalarField> field;
    Resident<TriangleMesh> mesh;            ///< after clean-up
    std::shared_ptr<const CleanUp> cleanUp; ///< null when the recipe asks for none
    std::shared_ptr<const Buffer<float>>
        vertexDistances;                        ///< [M] metres; null when the colours don't want them
    std::shared_ptr<const Picture> picture;     ///< null when no picture was wanted
    std::shared_ptr<const MeshQuality> quality; ///< null until this mesh was measured
    RunTimings timings;
    std::vector<std::string> notes; ///< sentences: what was chosen, what was dropped
    bool preview = false;           ///< coarser than the recipe says, see RunOptions::preview
    /// When what made it last had ended, with all on the device whole.
    std::chrono::steady_clock::time_point finished;

    Vec3d origin() const { return cloud ? cloud->origin() : Vec3d{}; }
};

/// How soon figures are wanted.
enum class QualityEffort : std::uint8_t {
    quick, ///< distances of some thousand points: live, while a slider moves
    full,  ///< of as many points as the recipe says
};

struct RunOptions {
    bool picture = true; ///< rasterize too
    /// Where voxels or field would have to be computed anew, compute them from every 8th point in voxels of
    /// twice the size: a picture within a fraction of the time, for use while a slider moves.
    bool preview = false;
    ProgressFunction progress = {};
    /// What drawing very many points may take, wall time; refine() draws those that are missing then. 0: no
    /// limit.
    double pictureMs = 0;
    bool quality = false; ///< measure the mesh after the picture, unless the recipe says off
};

/// What pictures of some results are drawn from, and the camera of their recipe, in the file's frame.
struct PictureSource {
    std::shared_ptr<const PictureScene> scene;
    Camera camera;
};

/// Holds the last result of each stage. One thread at a time.
class Pipeline {
public:
    explicit Pipeline(BackendChoice backend);
    ~Pipeline();
    Pipeline(const Pipeline&) = delete;
    Pipeline& operator=(const Pipeline&) = delete;

    /// What the next runs work on; results of the last input are let go. `readMs`: what reading it took, for
    /// the timings.
    void setInput(std::shared_ptr<const PointCloud> cloud, double readMs);
    void setInput(std::shared_ptr<const Volume> volume, double readMs);
    /// Host memory that stages may take; 0: what is available when each begins.
    void setMemoryLimit(std::uint64_t bytes);
    /// The same for the device: a cloud that needs more is voxelized in pieces.
    void setDeviceMemoryLimit(std::uint64_t bytes);
    const BackendChoice& backend() const;

    /// Runs what is stale for `recipe`. Stages that ended before a cancel or an error keep their results.
    /// @throws EngineError when a parameter is outside its limits, no point is in range, or memory would not
    /// do; KernelError; Cancelled.
    Snapshot run(const Recipe& recipe, const RunOptions& options, const std::stop_token& stop);

    /// The results of the last run once more, now with the figures of their mesh, which neither the run nor
    /// its picture had to wait for. @throws EngineError when memory would not do; KernelError; Cancelled.
    Snapshot measure(const Snapshot& last, QualityEffort effort, const std::stop_token& stop);

    /// The results of the last run once more, their picture now whole and the mean of so many samples a
    /// pixel; a picture that has some already gets the missing ones. What it was, where there is no picture
    /// or it has as many.
    /// @throws EngineError when memory would not do; KernelError; Cancelled.
    Snapshot refine(const Snapshot& last, int samples, const std::stop_token& stop);

    /// For pictures of other sizes of the results of the last run. What is copied from the device is added to
    /// their timings. @throws EngineError; KernelError; Cancelled.
    PictureSource pictureSource(Snapshot& last, const std::stop_token& stop);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// Whether these results have figures already, from as many points as `effort` wants.
bool isMeasured(const Snapshot& snapshot, QualityEffort effort);

/// Colours of the mesh's vertices as its picture shows them, [M] RGBA: for exports. @throws EngineError;
/// Cancelled.
std::vector<std::uint32_t> meshVertexColours(const Snapshot& snapshot, const std::stop_token& stop);

/// The means of the voxels' attributes at the mesh's vertices, none for a volume: for exports. @throws
/// KernelError; Cancelled.
std::vector<MeshChannel> meshVertexChannels(const Snapshot& snapshot, const std::stop_token& stop);

} // namespace scanloupe
