// Compares the recorded inputs of stages with those that their declarations name.
#include "engine/graph/stage_cache.h"

#include "kernels/core/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace scanloupe {

namespace {

/// Calls `visit` for each stage whose result `stage` may use. Returns whether all calls returned true.
template <class Visit>
bool allTaken(Stage stage, Visit&& visit) {
    return std::ranges::all_of(declarationOf(stage).takes,
                               [&](const TakenStage& taken) { return visit(taken.stage); });
}

} // namespace

bool hasSameInputs(Stage stage, const StageInputs& a, const StageInputs& b) {
    if (a.isVolume != b.isVolume || !readsTheSame(stage, a.resolved, b.resolved, a.isVolume))
        return false;
    return allTaken(stage, [&](Stage other) {
        const auto takenBy = [&](const StageInputs& of) {
            return takes(stage, other, of.resolved, of.isVolume) ? of.results[std::size_t(other)] : nullptr;
        };
        return takenBy(a) == takenBy(b);
    });
}

bool Freshness::of(Stage stage) {
    std::optional<bool>& known = m_known[std::size_t(stage)];
    if (!known)
        known = find(stage);
    return *known;
}

bool Freshness::find(Stage stage) {
    const auto& known = m_cache.entry(stage);
    if (!known)
        return false;
    ++m_compared;
    return readsTheSame(stage, known->recipe, m_resolved, m_isVolume) && allTaken(stage, [&](Stage other) {
               const ResultIdentity& taken = known->taken[std::size_t(other)];
               if (!takes(stage, other, m_resolved, m_isVolume))
                   return !taken;
               return taken && taken == m_cache.identity(other) && of(other);
           });
}

bool StageCache::isFresh(Stage stage, const Recipe& resolved, bool isVolume) const {
    return Freshness(*this, resolved, isVolume).of(stage);
}

const std::any* StageCache::last(Stage stage) const {
    return entry(stage) ? &entry(stage)->result : nullptr;
}

void StageCache::store(Stage stage, std::any result, const Recipe& resolved, bool isVolume) {
    Entry made{std::move(result), std::make_shared<char>(), resolved, isVolume, {}};
    Freshness fresh(*this, resolved, isVolume);
    for (const TakenStage& taken : declarationOf(stage).takes) {
        if (!takes(stage, taken.stage, resolved, isVolume))
            continue;
        if (!fresh.of(taken.stage))
            throw Fault(fmt::format("stage '{}' ran before stage '{}', on whose result it depends",
                                    declarationOf(stage).name, declarationOf(taken.stage).name));
        made.taken[std::size_t(taken.stage)] = identity(taken.stage);
    }
    m_entries[std::size_t(stage)] = std::move(made);
}

void StageCache::releaseDependants(Stage stage, bool all) {
    for (const StageDeclaration& other : stageDeclarations()) {
        const std::optional<Entry>& known = entry(other.stage);
        if (!known || !known->taken[std::size_t(stage)])
            continue;
        releaseDependants(other.stage, all);
        if ((all && other.continuesAcross != stage) ||
            (other.isReleasedFirst && other.isReleasedFirst(known->recipe, known->isVolume)))
            release(other.stage);
    }
}

void StageCache::releaseUnwanted(const Recipe& resolved, bool isVolume) {
    for (const StageDeclaration& one : stageDeclarations()) {
        if (!isWanted(one.stage, resolved, isVolume))
            release(one.stage);
    }
}

ResultIdentities StageCache::identities(const Recipe& resolved, bool isVolume) const {
    Freshness fresh(*this, resolved, isVolume);
    ResultIdentities found;
    for (const StageDeclaration& one : stageDeclarations()) {
        if (fresh.of(one.stage))
            found[std::size_t(one.stage)] = identity(one.stage);
    }
    return found;
}

StageCache StageCache::upTo(Stage stage) const {
    StageCache shared;
    std::copy_n(m_entries.begin(), std::size_t(stage) + 1, shared.m_entries.begin());
    return shared;
}

std::size_t StageCache::freshUpTo(Stage stage, const Recipe& resolved, bool isVolume) const {
    const ResultIdentities fresh = identities(resolved, isVolume);
    return std::size_t(std::count_if(fresh.begin(), fresh.begin() + std::ptrdiff_t(stage) + 1,
                                     [](const ResultIdentity& one) { return one != nullptr; }));
}

bool StageCache::hasSameResults(const StageCache& other) const {
    return std::ranges::equal(m_entries, other.m_entries, [](const auto& a, const auto& b) {
        return (a ? a->identity : nullptr) == (b ? b->identity : nullptr);
    });
}

} // namespace scanloupe
