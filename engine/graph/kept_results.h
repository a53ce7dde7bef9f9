#pragma once
// Declares the results of earlier recipes, which a later run can reuse.
#include "engine/compute/memory.h"
#include "engine/graph/held_bytes.h"
#include "engine/graph/stage_cache.h"

#include <vector>

namespace scanloupe {

/// Results of earlier recipes up to a stage, the oldest first.
class KeptResults {
public:
    /// @param last last stage whose results are kept; results of later stages are recomputed
    explicit KeptResults(Stage last) : m_last(last) {}

    /// Adds the results in `cache` as the newest ones, and releases the oldest ones beyond `limit`. Results
    /// that are kept already become the newest.
    void keep(const StageCache& cache, const KeptBytes& limit);
    /// Replaces the results in `cache` by the kept ones with the most fresh stages for a recipe, if these are
    /// more than in `cache`.
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

/// Returns `compute()`. If too little host memory is left, releases the kept results and tries again.
template <class Compute>
auto withoutKeptIfShort(KeptResults& kept, Compute&& compute) -> decltype(compute()) {
    try {
        return compute();
    } catch (const HostMemoryShort&) {
        if (kept.size() == 0)
            throw;
        kept.clear(); // new results have priority over old ones
    }
    return compute();
}

} // namespace scanloupe
