// Keeps results of earlier recipes in the order in which they were shown.
#include "engine/graph/kept_results.h"

#include <algorithm>

namespace scanloupe {

namespace {

/// Returns the memory of all large results, without the points as read, which all results share.
KeptBytes bytesOf(const StageCache& cache) {
    HeldBytes held;
    for (const StageDeclaration& one : stageDeclarations()) {
        const std::any* result = cache.last(one.stage);
        if (result && one.hold)
            one.hold(held, *result);
    }
    return held.bytes();
}

} // namespace

void KeptResults::keep(const StageCache& cache, const KeptBytes& limit) {
    StageCache results = cache.upTo(m_last);
    std::erase_if(m_kept, [&](const Kept& known) { return known.results.hasSameResults(results); });
    const KeptBytes bytes = bytesOf(results);
    m_kept.push_back({std::move(results), bytes});
    KeptBytes sum;
    const auto fits = [&](const Kept& kept) {
        sum.host += kept.bytes.host;
        sum.device += kept.bytes.device;
        return sum.host <= limit.host && sum.device <= limit.device;
    };
    const auto tooMuch = std::find_if_not(m_kept.rbegin(), m_kept.rend(), fits);
    m_kept.erase(m_kept.begin(), tooMuch.base());
}

void KeptResults::recall(StageCache& cache, const Recipe& resolved, bool isVolume) const {
    const StageCache* best = &cache;
    std::size_t most = cache.freshUpTo(m_last, resolved, isVolume);
    for (const Kept& kept : m_kept) {
        const std::size_t fresh = kept.results.freshUpTo(m_last, resolved, isVolume);
        if (fresh > most) {
            best = &kept.results;
            most = fresh;
        }
    }
    if (best != &cache)
        cache = *best;
}

} // namespace scanloupe
