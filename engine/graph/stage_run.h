#pragma once
// Declares the execution and timing of stages that are not fresh.
#include "engine/graph/run_context.h"
#include "engine/graph/stage_cache.h"
#include "engine/graph/timings.h"
#include "kernels/core/cost.h"
#include "kernels/core/error.h"

#include <any>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace scanloupe {

/// Measures the time of a part of a run, without copies from the device.
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
/// - `S::stage`, its name in stage.h, and `S::Result`;
/// - `static StageDeclaration S::declaration()`: the parameters and results that it reads;
/// - `static Result S::compute(const StageRun&, effort...)`, which reads the parameters and takes the results
///   that are declared, and changes nothing else;
/// and, where there is more to say, with
/// - `static bool S::isWanted(const Recipe& resolved, bool isVolume)`, see StageDeclaration;
/// - `static bool S::isEnough(const Result&, effort...)`: whether a fresh result has as much as is asked for;
/// - `static void S::describe(StageTiming&, const StageRun&, const Result&)`, which adds counts and details
/// to
///   the stage's row in the timings. A stage without it is timed as a part of the stage that asks for its
///   result;
/// - `static void S::show(Snapshot&, const Result&)`: what of its result a run gives;
/// - `static void S::note(RunNotes& notes, const Recipe& resolved, const Result&)`: sentences for the user
///   about the result, to which addNotes() adds the stage;
/// - `static StageMemory S::bytes(const RunSize&, const Recipe& resolved)` and
///   `static StageWork S::work(const RunSize&, const Recipe& resolved)`, for the forecast;
/// - `static void S::hold(HeldBytes&, const Result&)`: the memory of a result that is kept for later runs.
/// declared() puts all of that into the table of stages.
class StageRun : public RunContext {
public:
    StageRun(RunContext context, StageCache& cache) : RunContext(std::move(context)), m_cache(cache) {}

    bool wants(Stage stage) const { return isWanted(stage, *recipe, isVolume()); }
    bool isFresh(Stage stage) const { return m_cache.isFresh(stage, *recipe, isVolume()); }

    void releaseUnwanted() const { m_cache.releaseUnwanted(*recipe, isVolume()); }
    ResultIdentities identities() const { return m_cache.identities(*recipe, isVolume()); }

    /// Returns the result of S: the last one if it is fresh and sufficient, otherwise a new one.
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
    /// Returns the result of S, which must have run before. @throws Fault if it is not fresh
    template <class S>
    const typename S::Result& taken() const {
        if (!isFresh(S::stage))
            throw Fault(std::string("a result was requested of a stage that has not run: ") +
                        declarationOf(S::stage).name);
        return *last<S>();
    }
    /// Adds the notes of all stages whose results are fresh.
    void addNotes(RunNotes& notes) const {
        for (const StageDeclaration& one : stageDeclarations()) {
            if (!one.note || !wants(one.stage) || !isFresh(one.stage))
                continue;
            std::size_t added = notes.size();
            one.note(notes, *recipe, *m_cache.last(one.stage));
            for (; added < notes.size(); ++added)
                notes[added].stage = one.name;
        }
    }
    /// Returns the result of S; null if it is not fresh.
    template <class S>
    const typename S::Result* ifFresh() const {
        return isFresh(S::stage) ? last<S>() : nullptr;
    }
    /// Returns the last result of S, fresh or not; null if there is none.
    template <class S>
    const typename S::Result* last() const {
        return std::any_cast<typename S::Result>(m_cache.last(S::stage));
    }
    /// Releases the last result of S before a new one is computed.
    template <class S>
    void release() const {
        m_cache.release(S::stage);
    }

private:
    StageCache& m_cache;
};

/// Returns the declaration of S, completed with the functions of the type S.
template <class S>
StageDeclaration declared() {
    StageDeclaration one = S::declaration();
    if constexpr (requires { S::isWanted; })
        one.isWanted = S::isWanted;
    if constexpr (requires { S::bytes; })
        one.bytes = S::bytes;
    if constexpr (requires { S::describe; })
        one.rows.insert(one.rows.begin(), TimingRow{one.name, one.label, one.colour});
    if constexpr (requires { S::work; })
        one.rows.front().work = S::work;
    if constexpr (requires { S::note; })
        one.note = [](RunNotes& notes, const Recipe& resolved, const std::any& result) {
            S::note(notes, resolved, *std::any_cast<typename S::Result>(&result));
        };
    if constexpr (requires { S::hold; })
        one.hold = [](HeldBytes& held, const std::any& result) {
            S::hold(held, *std::any_cast<typename S::Result>(&result));
        };
    return one;
}

} // namespace scanloupe
