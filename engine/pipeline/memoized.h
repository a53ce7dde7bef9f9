#pragma once
// How stages keep their last result.
#include "engine/pipeline/chain.h"

namespace scanloupe {

/// Runs `compute` unless the memo was made from `key`, and notes what it took. `describe` adds what is
/// particular.
template <class Key, class T, class Compute, class Describe>
std::shared_ptr<const T> memoized(const RunContext& run, const char* stage, Memo<Key, T>& memo, Key key,
                                  Compute&& compute, Describe&& describe) {
    StageTiming timing;
    timing.stage = stage;
    timing.backend = "cpu";
    timing.reused = memo.value && memo.key == key;
    if (!timing.reused) {
        if (run.stop.stop_requested())
            throw Cancelled();
        const WallTimer timer;
        memo.value = compute();
        memo.key = std::move(key);
        timing.wallMs = timer.elapsedMs();
    }
    describe(timing, *memo.value);
    run.timings->stages.push_back(std::move(timing));
    return memo.value;
}

} // namespace scanloupe
