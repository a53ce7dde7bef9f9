#pragma once
// Declares the forecast of a run's time, learned from the runs on this machine.
#include "engine/compute/backend.h"
#include "engine/graph/stage_costs.h"
#include "engine/run/forecast/estimate.h"
#include "engine/run/forecast/running_correction.h"

#include <map>
#include <string>
#include <string_view>

namespace scanloupe {

struct Recipe;
struct RunTimings;

/// Learned times of stages on their backends, for all scans. Not thread-safe.
class StageTimes {
public:
    explicit StageTimes(const BackendChoice& backend);
    /// Sets the backend of later runs. Discards the learned backends of stages.
    void setBackend(const BackendChoice& backend);
    const BackendChoice& backend() const { return m_backend; }
    /// Returns the backend of a stage by its name in RunTimings: the backend of its last run, or else the
    /// expected backend.
    std::string backendOf(std::string_view stage) const;

    /// Learns from the stages of a run that were not reused.
    void learn(const RunTimings& timings, const RunSize& size, const Recipe& resolved);
    /// Returns the milliseconds of a run of the stages in `stale`; zero if none of them takes time.
    /// @param likely expected size of the run
    /// @param most upper limit of the size
    /// @param runs receives the number of runs that the times were learned from, for the stage with the
    /// fewest runs
    Estimate time(const Recipe& resolved, const RunSize& likely, const RunSize& most,
                  const StaleStages& stale, int& runs) const;

    std::string toJson() const { return m_corrections.toJson(); }
    void fromJson(std::string_view json) { m_corrections.fromJson(json); }

private:
    BackendChoice m_backend;
    RunningCorrection m_corrections;
    std::map<std::string, std::string, std::less<>> m_ranOn; ///< the backend of each stage in the last run
};

} // namespace scanloupe
