#pragma once
// Declares the pipeline from a point cloud to voxels, field, mesh and picture, whose stages cache their
// results.
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

/// The number of points for which quality is measured.
enum class QualityEffort : std::uint8_t {
    quick, ///< some thousand points, for live display while a slider moves
    full,  ///< as many points as the recipe specifies
};

/// The last stage of a run.
enum class RunEnd : std::uint8_t {
    voxels,  ///< stops after the voxels, of which there may be none
    field,   ///< stops after the field
    surface, ///< computes everything, including the picture and quality if requested
};

struct RunOptions {
    bool picture = true; ///< rasterize a picture
    /// Compute voxels and field that are not cached from every 8th point in voxels of twice the size. Takes a
    /// fraction of the time; for use while a slider moves.
    bool preview = false;
    /// Number of steps by which a preview is coarser than described at `preview`. Each step halves the points
    /// and doubles the area of the voxels' faces, which takes about half of the time.
    int coarser = 0;
    ProgressFunction progress = {};
    /// Time budget for drawing very many points, wall ms; refine() draws the missing ones. 0: no limit.
    double pictureMs = 0;
    bool quality = false; ///< measure the mesh after the picture, unless the recipe disables it
    /// Last stage of the run. If it ends before the surface, there is no picture and no quality, results of
    /// later stages are empty in the snapshot, and parameters of later stages stay automatic.
    RunEnd end = RunEnd::surface;
    /// If no points are in range, end the run after the (empty) voxels instead of throwing an error.
    bool mayBeEmpty = false;
};

/// A renderable scene, and the camera of the recipe in the file's frame.
struct PictureSource {
    std::shared_ptr<const PictureScene> scene;
    Camera camera;
};

/// Runs the stages and caches the last result of each. Not thread-safe.
class Pipeline {
public:
    explicit Pipeline(BackendChoice backend);
    ~Pipeline();
    Pipeline(const Pipeline&) = delete;
    Pipeline& operator=(const Pipeline&) = delete;

    /// Sets the input of the next runs, and releases all results of the previous input. @param readMs time to
    /// read the input, for the timings
    void setInput(std::shared_ptr<const PointCloud> cloud, double readMs);
    void setInput(std::shared_ptr<const Volume> volume, double readMs);
    /// Releases all results; the next run computes all stages with the same input.
    void releaseResults();
    /// Limits the host memory of each stage; 0: the available memory when the stage starts.
    void setMemoryLimit(std::uint64_t bytes);
    /// Limits the device memory, bytes. A cloud that needs more is voxelized in pieces. 0: no limit.
    void setDeviceMemoryLimit(std::uint64_t bytes);
    /// Sets the CUDA code that layers may run. Layers with other CUDA code are rejected.
    void setTrustedCode(std::shared_ptr<const TrustedCode> code);
    const BackendChoice& backend() const;

    /// Runs all stages whose results are stale for `recipe`. If a run is cancelled or fails, results of
    /// finished stages are kept, but results that depend on the failed stage may have been released to save
    /// memory.
    /// @throws EngineError if a parameter is out of range, a surface is requested but no point is in range,
    ///     or when out of memory; KernelError; Cancelled.
    Snapshot run(const Recipe& recipe, const RunOptions& options, const std::stop_token& stop);

    /// Keeps the results of the last complete run as far as memory allows; a later run with the same values
    /// reuses them.
    void keepResults();

    /// Returns the results of the last run, with the quality of the mesh. Quality is measured here and not in
    /// run(), so that neither the run nor its picture waits for it. Results that are no longer cached are
    /// recomputed.
    /// @throws EngineError when out of memory; KernelError; Cancelled.
    Snapshot measure(const Snapshot& last, QualityEffort effort, const std::stop_token& stop);

    /// Returns the results of the last run with a complete picture with `samples` samples per pixel. Only
    /// missing samples are rendered. Returns `last` unchanged if no sample is missing, or there is no
    /// picture.
    /// @throws EngineError when out of memory; KernelError; Cancelled.
    Snapshot refine(const Snapshot& last, int samples, const std::stop_token& stop);

    /// Returns the scene and the camera of the last run, for pictures of other sizes. Adds the time of copies
    /// from the device to the timings of `last`. @throws EngineError; KernelError; Cancelled.
    PictureSource pictureSource(Snapshot& last, const std::stop_token& stop);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// Whether the results include quality measures from at least as many points as `effort` requires.
bool isMeasured(const Snapshot& snapshot, QualityEffort effort);

} // namespace scanloupe
