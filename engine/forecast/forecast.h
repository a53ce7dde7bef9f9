#pragma once
// Declares the forecast of a recipe: voxels, triangles, memory and time, before anything runs.
#include "engine/cloud/bounds.h"
#include "engine/forecast/estimate.h"
#include "engine/forecast/occupied_cells.h"
#include "engine/forecast/running_correction.h"
#include "engine/forecast/sampled_surface.h"
#include "engine/forecast/stage_times.h"
#include "engine/recipe/stored_recipe.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace scanloupe {

class PointCloud;
struct Snapshot;

/// Statistics of a cloud before it is run.
struct ScanSample {
    PointSample points;
    BoxSample boxes;
};
/// Reads all points once, on all cores. @throws Cancelled
ScanSample sampleScan(const PointCloud& cloud, const std::stop_token& stop);

/// Expected sizes and costs of a run of a recipe.
struct Forecast {
    Estimate pointsInRange, voxels, bricks;
    Estimate triangles;    ///< triangles of the shown surface, after clean-up
    Estimate hostBytes;    ///< host memory of all stages' results and work; an upper bound in `high`
    Estimate deviceBytes;  ///< the same for device memory; zero on the CPU
    Estimate neededBytes;  ///< additional part of hostBytes for stages that must run again
    Estimate milliseconds; ///< as RunTimings::totalMs
    int scanRuns = 0;  ///< runs of this scan and kind of field that the number of triangles was learned from
    int timedRuns = 0; ///< runs on this machine of the stage with the fewest
    bool isUnsure = false; ///< the sample has too few points in the range: numbers are wide limits
};

/// Forecasts runs of a scan, from a sample of the points, from the runs of this scan, and from the times of
/// all runs on this machine. Not thread-safe.
class Forecaster {
public:
    explicit Forecaster(const BackendChoice& backend);
    /// Sets where later runs compute: forgets which backend each stage ran on.
    void setBackend(const BackendChoice& backend) { m_times.setBackend(backend); }

    /// Sets another scan; forgets all that was learned except times.
    void setScan(std::shared_ptr<const PointCloud> cloud, std::shared_ptr<const ScanSample> sample);
    const std::shared_ptr<const PointCloud>& cloud() const { return m_cloud; }
    /// Learns from a run that is no preview; from runs of other scans only times.
    void learn(const Snapshot& snapshot);

    /// Takes some 9 ms on two cores, whatever the size of the scan. @returns no value without a sample, and
    /// while automatic values are unknown
    std::optional<Forecast> forecast(const Recipe& recipe);
    /// The smallest edge of cubic voxels that is not below the recipe's and with which the run needs at most
    /// `bytes` of memory on the host; a number of two digits. No value if there is none, since other data
    /// takes the memory.
    std::optional<double> fittingVoxelSize(const Recipe& recipe, std::uint64_t bytes);

    /// The times of this machine's runs, for the next start of the program.
    std::string timesToJson() const { return m_times.toJson(); }
    void timesFromJson(std::string_view json) { m_times.fromJson(json); }

private:
    /// A recipe with all values but the iso-value set.
    struct Resolved {
        StoredRecipe recipe;
        bool sizeIsGuessed = false; ///< it will be derived from the points in a new range
    };
    /// Estimates of a recipe: with `corrected` false those that corrections are learned against.
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
    /// The points in the last range, of the whole sample and of a part of it.
    struct InRange {
        Bounds bounds;
        PointCut cut;
        double part = 0;
        std::optional<OccupiedCells> cells;
    };
    InRange m_inRange, m_fewInRange;
    /// Inputs of the sampled surface, and its last result.
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
