#pragma once
// Runs a stage only if its key has changed, times it, and brings results to the host.
#include "engine/pipeline/chain.h"
#include "engine/pipeline/forecast.h"

namespace scanloupe {

/// The result on the host. All copies from the device in a run are timed as one stage, `download`.
/// @throws EngineError when the host has too little memory for it.
template <class T>
const T& onHost(const RunContext& run, const DeviceOrHost<T>& result) {
    if (result.hasHost())
        return result.host();
    requireDownloadMemory(run, result->bytes());
    const WallTimer timer;
    if (result.bringToHost()) // false if another thread has copied it meanwhile
        noteDownload(*run.timings, timer.elapsedMs(), result->bytes());
    return result.host();
}

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

/// Returns the cached result if its key is `key`, else runs `compute` and caches its result. Adds the timing
/// of the stage, to which `describe` adds counts and other details.
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
