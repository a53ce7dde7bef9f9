#pragma once
// Declares the forecast of a recipe: voxels, triangles, memory and time, before anything runs.
#include "engine/compute/backend.h"
#include "engine/forecast/estimate.h"
#include "engine/forecast/occupied_cells.h"
#include "engine/forecast/run_size.h"
#include "engine/forecast/running_correction.h"
#include "engine/forecast/sampled_surface.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace scanloupe {

/// What is known of a cloud before it is run.
struct ScanSample {
    PointSample points;
    BoxSample boxes;
};
/// Looks at all points once, on all cores. @throws Cancelled
ScanSample sampleScan(const PointCloud& cloud, const std::stop_token& stop);

/// What a run of a recipe is expected to make and to take.
struct Forecast {
    Estimate pointsInRange, voxels, bricks;
    Estimate triangles;    ///< of the surface that is shown, after clean-up
    Estimate hostBytes;    ///< of all stages' results and work on the host; `high` is not exceeded
    Estimate deviceBytes;  ///< the same on the device; zero on the CPU
    Estimate neededBytes;  ///< the part of hostBytes that stages which run again take, besides what is held
    Estimate milliseconds; ///< as RunTimings::totalMs
    int scanRuns = 0;      ///< of this scan and kind of field, that triangles were learned from
    int timedRuns = 0;     ///< on this machine, of the stage that is learned least
    bool isUnsure = false; ///< the sample has too few points in the range: numbers are wide limits
};

/// Forecasts runs of a scan. What it knows comes from a sample of the points, from the runs of this scan, and
/// from the times of all runs on this machine. One thread at a time.
class Forecaster {
public:
    explicit Forecaster(const BackendChoice& backend);
    /// Where runs compute from now on: what stages are known to have run on is forgotten.
    void setBackend(const BackendChoice& backend);

    /// Begins with another scan; what was learned about the last one is forgotten, times are not.
    void setScan(std::shared_ptr<const PointCloud> cloud, std::shared_ptr<const ScanSample> sample);
    const std::shared_ptr<const PointCloud>& cloud() const { return m_cloud; }
    /// Learns from a run that is no preview; of another scan only its times.
    void learn(const Snapshot& snapshot);

    /// Takes some 9 ms on two cores, however large the scan is.
    /// @returns no value before there is a sample, and while values that are chosen from the data are unknown
    std::optional<Forecast> forecast(const Recipe& recipe);
    /// The smallest edge of cubic voxels, as large as those of the recipe or larger, with which the run needs
    /// at most `bytes` of memory on the host; a number of two digits. No value if there is none, since other
    /// things take the memory.
    std::optional<double> fittingVoxelSize(const Recipe& recipe, std::uint64_t bytes);

    /// The times of this machine's runs, for the next start of the program.
    std::string timesToJson() const { return m_times.toJson(); }
    void timesFromJson(std::string_view json) { m_times.fromJson(json); }

private:
    /// A recipe whose values are all known, but for the iso-value.
    struct Resolved {
        Recipe recipe;
        bool sizeIsGuessed = false; ///< it will be chosen from the points in a new range
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
    Estimate time(const Recipe& resolved, const RunSize& likely, const RunSize& most,
                  const StaleStages& stale, int& runs) const;
    std::string backendOf(std::string_view stage) const;

    BackendChoice m_backend;
    std::shared_ptr<const PointCloud> m_cloud;
    std::shared_ptr<const ScanSample> m_sample;
    std::optional<Recipe> m_lastAsked, m_last; ///< of the last run: as asked for, and resolved
    Recipe m_chosen;                           ///< values that were chosen from this scan's data, once known
    RunningCorrection m_voxels, m_surface;     ///< of this scan
    RunningCorrection m_times;
    std::map<std::string, std::string, std::less<>> m_ranOn; ///< the backend of each stage, in the last run
    /// The points in the range that was looked at last, of the whole sample and of a part of it.
    struct InRange {
        Bounds bounds;
        PointCut cut;
        double part = 0;
        std::optional<OccupiedCells> cells;
    };
    InRange m_inRange, m_fewInRange;
    /// What the surface in boxes depends on, and the last ones.
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
