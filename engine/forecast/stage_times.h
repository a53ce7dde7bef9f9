#pragma once
// Declares the forecast of a run's time, learned from the runs on this machine.
#include "engine/compute/backend.h"
#include "engine/forecast/estimate.h"
#include "engine/forecast/running_correction.h"
#include "engine/graph/stage_costs.h"

#include <map>
#include <string>
#include <string_view>

namespace scanloupe {

struct Recipe;
struct RunTimings;

/// The times of stages on their backends, whatever the scan. Not thread-safe.
class StageTimes {
public:
    explicit StageTimes(const BackendChoice& backend);
    /// Sets where later runs compute: forgets which backend each stage ran on.
    void setBackend(const BackendChoice& backend);
    const BackendChoice& backend() const { return m_backend; }
    /// The backend of a row of the timings, as RunTimings names it: that of its last run, or the expected
    /// one.
    std::string backendOf(std::string_view stage) const;

    /// Learns from the stages of a run that were not reused.
    void learn(const RunTimings& timings, const RunSize& size, const Recipe& resolved);
    /// Milliseconds of a run of the stages in `stale`; zero if none of them takes time.
    /// @param likely its expected size @param most the upper limit of the size
    /// @param runs becomes the number of runs that the stage with the fewest was learned from
    Estimate time(const Recipe& resolved, const RunSize& likely, const RunSize& most,
                  const StaleStages& stale, int& runs) const;

    std::string toJson() const { return m_corrections.toJson(); }
    void fromJson(std::string_view json) { m_corrections.fromJson(json); }

private:
    BackendChoice m_backend;
    RunningCorrection m_corrections;
    std::map<std::string, std::string, std::less<>> m_ranOn; ///< the backend of each stage, in the last run
};

} // namespace scanloupe
