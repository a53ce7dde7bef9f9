#pragma once
// Declares the results of earlier recipes, which a run can go back to.
#include "engine/compute/memory.h"
#include "engine/graph/held_bytes.h"
#include "engine/graph/stage_cache.h"

#include <vector>

namespace scanloupe {

/// Results of earlier recipes up to a stage, the oldest first.
class KeptResults {
public:
    /// @param last stage whose results are kept; those of the stages after it are made again
    explicit KeptResults(Stage last) : m_last(last) {}

    /// Keeps the results in `cache` that are the newest of their recipe, and releases the oldest ones beyond
    /// `limit`. Results that are kept already become the newest.
    void keep(const StageCache& cache, const KeptBytes& limit);
    /// Replaces the results in `cache` by kept ones, of which more stages are fresh for a recipe.
    void recall(StageCache& cache, const Recipe& resolved, bool isVolume) const;
    void clear() { m_kept.clear(); }
    std::size_t size() const { return m_kept.size(); }

private:
    struct Kept {
        StageCache results;
        KeptBytes bytes;
    };
    Stage m_last;
    std::vector<Kept> m_kept;
};

/// `compute()`; once more without the kept results if they leave too little host memory.
template <class Compute>
auto withoutKeptIfShort(KeptResults& kept, Compute&& compute) -> decltype(compute()) {
    try {
        return compute();
    } catch (const HostMemoryShort&) {
        if (kept.size() == 0)
            throw;
        kept.clear(); // new results have precedence over old ones
    }
    return compute();
}

} // namespace scanloupe
