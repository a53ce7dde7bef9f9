#pragma once
// Runs stages that are not fresh, and times them.
#include "engine/results/stage_cache.h"
#include "engine/stages/run_context.h"
#include "kernels/core/cost.h"
#include "kernels/core/error.h"

#include <any>
#include <utility>

namespace scanloupe {

/// Times a part of a run, excluding copies from the device.
class StageTimer {
public:
    explicit StageTimer(const RunContext& run) : m_timings(*run.timings), m_before(downloadMs(m_timings)) {}
    double elapsedMs() const { return m_timer.elapsedMs() - (downloadMs(m_timings) - m_before); }

private:
    const RunTimings& m_timings;
    double m_before;
    WallTimer m_timer;
};

/// A run with the cached results of its stages. A stage is a type S with
/// - `S::stage`, its row in stage.h, and `S::Result`;
/// - `static Result S::compute(const StageRun&, effort...)`, which reads the parameters and takes the results
///   that the row declares, and changes nothing else;
/// - optionally `static bool S::isEnough(const Result&, effort...)`: whether a fresh result has as much as is
///   asked for;
/// - optionally `static void S::describe(StageTiming&, const StageRun&, const Result&)`, which adds counts
///   and details to the stage's row in the timings. A stage without it is timed as a part of the stage that
///   asks for its result.
class StageRun : public RunContext {
public:
    StageRun(RunContext context, StageCache& cache) : RunContext(std::move(context)), m_cache(cache) {}

    bool wants(Stage stage) const { return isWanted(stage, *recipe, isVolume()); }
    bool isFresh(Stage stage) const { return m_cache.isFresh(stage, *recipe, isVolume()); }

    void releaseUnwanted() const { m_cache.releaseUnwanted(*recipe, isVolume()); }
    ResultIdentities identities() const { return m_cache.identities(*recipe, isVolume()); }

    /// The result of S: the last one if it is fresh and enough, else a new one.
    /// @throws Cancelled; as S::compute
    template <class S, class... Effort>
    const typename S::Result& get(const Effort&... effort) const {
        bool reused = isFresh(S::stage);
        if constexpr (requires(const typename S::Result& known) { S::isEnough(known, effort...); })
            reused = reused && S::isEnough(*last<S>(), effort...);
        const StageTimer timer(*this);
        if (!reused) {
            if (stop.stop_requested())
                throw Cancelled();
            m_cache.releaseDependants(S::stage, stream != nullptr); // device memory is scarce
            m_cache.store(S::stage, S::compute(*this, effort...), *recipe, isVolume());
        }
        const typename S::Result& result = *last<S>();
        if constexpr (requires(StageTiming & timing) { S::describe(timing, *this, result); }) {
            StageTiming timing;
            timing.stage = declarationOf(S::stage).name;
            timing.backend = "cpu";
            timing.reused = reused;
            timing.wallMs = reused ? 0 : timer.elapsedMs();
            S::describe(timing, *this, result);
            timings->stages.push_back(std::move(timing));
        }
        return result;
    }
    /// The result of S, which has run before. @throws Fault when it is not fresh
    template <class S>
    const typename S::Result& taken() const {
        if (!isFresh(S::stage))
            throw Fault(std::string("the result of a stage that has not run was taken: ") +
                        declarationOf(S::stage).name);
        return *last<S>();
    }
    /// The result of S; null if it is not fresh.
    template <class S>
    const typename S::Result* ifFresh() const {
        return isFresh(S::stage) ? last<S>() : nullptr;
    }
    /// The last result of S, fresh or not; null if there is none.
    template <class S>
    const typename S::Result* last() const {
        return std::any_cast<typename S::Result>(m_cache.last(S::stage));
    }
    /// Releases the last result of S before the next one is made.
    template <class S>
    void release() const {
        m_cache.release(S::stage);
    }

private:
    StageCache& m_cache;
};

} // namespace scanloupe
