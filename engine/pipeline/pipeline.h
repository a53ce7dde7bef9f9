#pragma once
// Declares the pipeline from a point cloud to voxels, field, mesh and picture, with cached stages.
#include "engine/io/common/progress.h"
#include "kernels/raster/core/camera.h"

#include <memory>
#include <stop_token>

namespace scanloupe {

struct BackendChoice;
class PictureScene;
class PointCloud;
struct Recipe;
struct Snapshot;
class TrustedCode;
struct Volume;

/// The number of points that quality is measured with.
enum class QualityEffort : std::uint8_t {
    quick, ///< distances of some thousand points, for live display while a slider moves
    full,  ///< distances of as many points as the recipe says
};

/// How far a run goes.
enum class RunEnd : std::uint8_t {
    voxels,  ///< stops after the voxels; there may be none
    field,   ///< stops after the field
    surface, ///< computes everything, including the picture and quality if requested
};

struct RunOptions {
    bool picture = true; ///< rasterize a picture
    /// If voxels or field are not cached, compute them from every 8th point in voxels of twice the size:
    /// takes a fraction of the time, for use while a slider moves.
    bool preview = false;
    /// Steps by which a preview is coarser than that. Each takes half of the points, in voxels whose faces
    /// have twice the area, so that it takes about half of the time.
    int coarser = 0;
    ProgressFunction progress = {};
    /// Time budget for drawing very many points, wall ms; refine() draws those that are missing then. 0: no
    /// limit.
    double pictureMs = 0;
    bool quality = false; ///< measure the mesh after the picture, unless the recipe says off
    /// If a run ends early, there is neither picture nor quality, and results of later stages are empty in
    /// the snapshot. Values that only later stages read stay automatic.
    RunEnd end = RunEnd::surface;
    /// Without points in range, end with the voxels, of which there are none, instead of an error.
    bool mayBeEmpty = false;
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
    /// Releases all results; the next run starts from scratch with the same input.
    void releaseResults();
    /// Limits the host memory of each stage; 0: the memory available when it begins.
    void setMemoryLimit(std::uint64_t bytes);
    /// Limits the device memory; a cloud that needs more is voxelized in pieces.
    void setDeviceMemoryLimit(std::uint64_t bytes);
    /// The CUDA code that layers may run; without it, layers with CUDA code are refused.
    void setTrustedCode(std::shared_ptr<const TrustedCode> code);
    const BackendChoice& backend() const;

    /// Runs the stages that are stale for `recipe`. Stages that ended before a cancel or an error keep their
    /// results; those that depend on the stage that did not may have been released, since memory is scarce.
    /// @throws EngineError when a parameter is outside its limits, a surface is wanted and no point is in
    /// range, or memory is too small; KernelError; Cancelled.
    Snapshot run(const Recipe& recipe, const RunOptions& options, const std::stop_token& stop);

    /// Caches the results of the last whole run, as memory allows: a later run with the same values reuses
    /// them.
    void keepResults();

    /// The results of the last run with the quality of their mesh, which is measured here so that neither the
    /// run nor its picture waits for it. Results that are not cached any more are recomputed.
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

} // namespace scanloupe
