#pragma once
// Keeps the last result of each stage, and tells from the declarations whether it is still fresh.
#include "engine/graph/result_identity.h"
#include "engine/graph/stage_table.h"
#include "engine/recipe/stored_recipe.h"

#include <any>
#include <array>
#include <optional>
#include <utility>

namespace scanloupe {

/// What a stage makes its result from.
struct StageInputs {
    const Recipe& resolved;
    const ResultIdentities& results;
    bool isVolume;
};
/// Whether `stage`, declared in stage.h, has the same inputs: then it makes the same of them.
bool hasSameInputs(Stage stage, const StageInputs& a, const StageInputs& b);

/// The last result of each stage. A result is fresh while the parameters that its stage reads have the same
/// values, and the results that it takes are fresh and the same.
class StageCache {
public:
    /// See Freshness, for the question about many stages.
    bool isFresh(Stage stage, const Recipe& resolved, bool isVolume) const;
    /// The last result, fresh or not; null if there is none.
    const std::any* last(Stage stage) const;
    /// @throws Fault when a result that the stage takes is not fresh: the stages ran in a wrong order.
    void store(Stage stage, std::any result, const Recipe& resolved, bool isVolume);
    void release(Stage stage) { m_entries[std::size_t(stage)].reset(); }
    /// Releases the results that depend on the one of `stage`, which is about to be replaced: all, or those
    /// that are declared to be released first.
    void releaseDependants(Stage stage, bool all);
    /// Releases the results of stages that the recipe doesn't want.
    void releaseUnwanted(const Recipe& resolved, bool isVolume);
    /// The identities of the fresh results.
    ResultIdentities identities(const Recipe& resolved, bool isVolume) const;

    /// Shares the results of the stages up to `stage`.
    StageCache upTo(Stage stage) const;
    /// How many stages up to `stage` are fresh.
    std::size_t freshUpTo(Stage stage, const Recipe& resolved, bool isVolume) const;
    bool hasSameResults(const StageCache& other) const;

private:
    friend class Freshness;
    struct Entry {
        std::any result;
        ResultIdentity identity;
        StoredRecipe recipe; ///< resolved, as the stage read it
        bool isVolume = false;
        ResultIdentities taken; ///< null where the stage took none
    };
    const std::optional<Entry>& entry(Stage stage) const { return m_entries[std::size_t(stage)]; }
    ResultIdentity identity(Stage stage) const { return entry(stage) ? entry(stage)->identity : nullptr; }

    std::array<std::optional<Entry>, kStageCount> m_entries;
};

/// Which results of a cache are fresh for a recipe. All outlive it, and stay the same meanwhile.
class Freshness {
public:
    Freshness(const StageCache& cache, const Recipe& resolved, bool isVolume)
        : m_cache(cache), m_resolved(resolved), m_isVolume(isVolume) {}

    /// A stage is compared with the recipe once, however many others take its result.
    bool of(Stage stage);
    std::size_t compared() const { return m_compared; } ///< stages, so far

private:
    bool find(Stage stage);

    const StageCache& m_cache;
    const Recipe& m_resolved;
    bool m_isVolume;
    std::array<std::optional<bool>, kStageCount> m_known;
    std::size_t m_compared = 0;
};

} // namespace scanloupe
