#pragma once
// How stages keep their last result, and what they take from the device.
#include "engine/pipeline/chain.h"
#include "engine/pipeline/forecast.h"

namespace scanloupe {

/// The result on the host. Copying it there is a stage of its own, `download`, of all results that a run
/// copies.
/// @throws EngineError when the host has too little memory for it.
template <class T>
const T& onHost(const RunContext& run, const Resident<T>& result) {
    if (result.hasHost())
        return result.host();
    requireDownloadMemory(run, result->bytes());
    const WallTimer timer;
    if (result.bringToHost()) // nobody else has meanwhile
        noteDownload(*run.timings, timer.elapsedMs(), result->bytes());
    return result.host();
}

/// Times a part of a run, less what was copied from the device in it.
class StageTimer {
public:
    explicit StageTimer(const RunContext& run) : m_timings(*run.timings), m_before(downloadMs(m_timings)) {}
    double elapsedMs() const { return m_timer.elapsedMs() - (downloadMs(m_timings) - m_before); }

private:
    const RunTimings& m_timings;
    double m_before;
    WallTimer m_timer;
};

/// Runs `compute` unless the memo was made from `key`, and notes what it took. `describe` adds what is
/// particular.
template <class Key, class Handle, class Compute, class Describe>
Handle memoized(const RunContext& run, const char* stage, Memo<Key, Handle>& memo, Key key, Compute&& compute,
                Describe&& describe) {
    StageTiming timing;
    timing.stage = stage;
    timing.backend = "cpu";
    timing.reused = memo.value && memo.key == key;
    if (!timing.reused) {
        if (run.stop.stop_requested())
            throw Cancelled();
        const StageTimer timer(run);
        memo.value = compute();
        memo.key = std::move(key);
        timing.wallMs = timer.elapsedMs();
    }
    describe(timing, memo.value);
    run.timings->stages.push_back(std::move(timing));
    return memo.value;
}

} // namespace scanloupe
