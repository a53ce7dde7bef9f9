#pragma once
// Declares the forecast of a run: the numbers of voxels and triangles, memory and time.
#include "engine/cloud/bounds.h"
#include "engine/recipe/stored_recipe.h"
#include "engine/run/forecast/estimate.h"
#include "engine/run/forecast/occupied_cells.h"
#include "engine/run/forecast/running_correction.h"
#include "engine/run/forecast/sampled_surface.h"
#include "engine/run/forecast/stage_times.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace scanloupe {

class PointCloud;
struct Snapshot;

/// Samples of a cloud, taken before the first run.
struct ScanSample {
    PointSample points;
    BoxSample boxes;
};
/// Samples a cloud by reading all points once, on all cores. @throws Cancelled
ScanSample sampleScan(const PointCloud& cloud, const std::stop_token& stop);

/// Expected sizes and costs of a run of a recipe.
struct Forecast {
    Estimate pointsInRange, voxels, bricks;
    Estimate triangles;    ///< number of triangles of the shown surface, after clean-up
    Estimate hostBytes;    ///< host memory for results and workspace of all stages; `high` is an upper bound
    Estimate deviceBytes;  ///< device memory, in the same way; zero on the CPU
    Estimate neededBytes;  ///< part of hostBytes that stages need that must run again
    Estimate milliseconds; ///< time of the run, as RunTimings::totalMs
    int scanRuns = 0;      ///< number of runs, with this scan and kind of field, from which the number of
                           ///< triangles was learned
    int timedRuns = 0; ///< number of runs on this machine from which times were learned, for the stage with
                       ///< the fewest runs
    bool isUnsure = false; ///< the sample has too few points in the range, so the limits are wide
};

/// Forecasts runs of a scan, from a sample of the points, from earlier runs of the scan, and from the times
/// of all runs on this machine. Not thread-safe.
class Forecaster {
public:
    explicit Forecaster(const BackendChoice& backend);
    /// Sets the backend of later runs. Discards the learned backends of stages.
    void setBackend(const BackendChoice& backend) { m_times.setBackend(backend); }

    /// Sets another scan. Discards everything that was learned, except times.
    void setScan(std::shared_ptr<const PointCloud> cloud, std::shared_ptr<const ScanSample> sample);
    const std::shared_ptr<const PointCloud>& cloud() const { return m_cloud; }
    /// Learns from a run. Previews are ignored; from runs of other scans only times are learned.
    void learn(const Snapshot& snapshot);

    /// Forecasts a run. Takes about 9 ms on two cores for scans of any size. @returns no value without a
    /// sample, or while automatic values are unknown
    std::optional<Forecast> forecast(const Recipe& recipe);
    /// Returns the smallest edge of cubic voxels, at least the recipe's, with which the run needs at most
    /// `bytes` of host memory; a number with two significant digits. No value if there is none, because other
    /// data uses the memory.
    std::optional<double> fittingVoxelSize(const Recipe& recipe, std::uint64_t bytes);

    /// Returns the times of runs on this machine as JSON, for the next start of the program.
    std::string timesToJson() const { return m_times.toJson(); }
    void timesFromJson(std::string_view json) { m_times.fromJson(json); }

private:
    /// A recipe with all values set except the iso-value.
    struct Resolved {
        StoredRecipe recipe;
        bool sizeIsGuessed = false; ///< it will be derived from the points in a new range
    };
    /// Estimated sizes of a run. Without `corrected`, they are the raw estimates from which corrections are
    /// learned.
    struct Sizes {
        Estimate points, voxels, bricks, triangles, verticesPerTriangle;
        std::optional<SampledSurface> surface;
        int runs = 0;
        bool isUnsure = false;
    };
    std::optional<Resolved> resolve(const Recipe& recipe);
    const OccupiedCells& cellsIn(const Recipe& resolved, double part);
    Sizes sizesOf(const Recipe& resolved, double part, bool corrected);
    std::optional<SampledSurface> surfaceOf(const Recipe& resolved, double pointsPerVoxel);
    void guessVoxelSize(Resolved& resolved);
    std::optional<Forecast> forecastFrom(const Resolved& resolved, double part);

    std::shared_ptr<const PointCloud> m_cloud;
    std::shared_ptr<const ScanSample> m_sample;
    std::optional<StoredRecipe> m_lastAsked, m_last; ///< the last run's recipe: as requested, and resolved
    StoredRecipe m_chosen;                           ///< automatic values of this scan, once known
    RunningCorrection m_voxels, m_surface;           ///< corrections for this scan
    StageTimes m_times;
    /// The sample's points in the last range: for the whole sample, and for a part of it.
    struct InRange {
        Bounds bounds;
        PointCut cut;
        double part = 0;
        std::optional<OccupiedCells> cells;
    };
    InRange m_inRange, m_fewInRange;
    /// Inputs of a sampled surface, with its result.
    struct SurfaceQuestion {
        Vec3d rangeMin, rangeMax, voxelSize;
        PointCut cut;
        double radius = 0;
        FieldKind field = FieldKind::occupancy;
        std::optional<double> iso;
        std::optional<Vec3d> sensor;
        bool operator==(const SurfaceQuestion&) const = default;
    };
    struct AnsweredSurface {
        SurfaceQuestion question;
        std::optional<SampledSurface> surface;
    };
    std::vector<AnsweredSurface> m_surfaces;
};

} // namespace scanloupe
