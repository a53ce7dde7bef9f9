#pragma once
// Declares the results of earlier recipes, which a run can go back to.
#include "engine/compute/memory.h"
#include "engine/results/stage_cache.h"

#include <cstdint>
#include <vector>

namespace scanloupe {

/// Memory that kept results may take. @note Copies that a result on the device has on the host are not
/// counted.
struct KeptBytes {
    std::uint64_t host = 0, device = 0;
};

/// Results of earlier recipes from the points to the surface, the oldest first. Their pictures are drawn
/// again, which takes little time.
class KeptResults {
public:
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
