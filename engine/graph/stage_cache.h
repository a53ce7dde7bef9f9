#pragma once
// Declares the cache of the last result of each stage, which determines from the declarations whether a
// result is fresh.
#include "engine/graph/result_identity.h"
#include "engine/graph/stage_table.h"
#include "engine/recipe/stored_recipe.h"

#include <any>
#include <array>
#include <optional>
#include <utility>

namespace scanloupe {

/// The inputs of a stage.
struct StageInputs {
    const Recipe& resolved;
    const ResultIdentities& results;
    bool isVolume;
};
/// Whether the inputs of `stage`, as declared in stage.h, are equal, so that its results are equal.
bool hasSameInputs(Stage stage, const StageInputs& a, const StageInputs& b);

/// The last result of each stage. A result is fresh if the parameters that its stage reads have the same
/// values, and the results that it depends on are fresh and unchanged.
class StageCache {
public:
    /// Whether a stage is fresh. For many stages, use Freshness.
    bool isFresh(Stage stage, const Recipe& resolved, bool isVolume) const;
    /// Returns the last result, fresh or not; null if there is none.
    const std::any* last(Stage stage) const;
    /// Stores a result. @throws Fault if a result that the stage depends on is not fresh, i.e. the stages ran
    /// in a wrong order.
    void store(Stage stage, std::any result, const Recipe& resolved, bool isVolume);
    void release(Stage stage) { m_entries[std::size_t(stage)].reset(); }
    /// Releases results that depend on the one of `stage`, which is about to be replaced. @param all false:
    /// only results whose declarations say so
    void releaseDependants(Stage stage, bool all);
    /// Releases the results of stages that the recipe does not require.
    void releaseUnwanted(const Recipe& resolved, bool isVolume);
    /// Returns the identities of all fresh results.
    ResultIdentities identities(const Recipe& resolved, bool isVolume) const;

    /// Returns a cache with the results of the stages up to `stage`, which are shared.
    StageCache upTo(Stage stage) const;
    /// Returns the number of fresh stages up to `stage`.
    std::size_t freshUpTo(Stage stage, const Recipe& resolved, bool isVolume) const;
    bool hasSameResults(const StageCache& other) const;

private:
    friend class Freshness;
    struct Entry {
        std::any result;
        ResultIdentity identity;
        StoredRecipe recipe; ///< resolved, as the stage read it
        bool isVolume = false;
        ResultIdentities taken; ///< identities of the results that the stage used; null for the others
    };
    const std::optional<Entry>& entry(Stage stage) const { return m_entries[std::size_t(stage)]; }
    ResultIdentity identity(Stage stage) const { return entry(stage) ? entry(stage)->identity : nullptr; }

    std::array<std::optional<Entry>, kStageCount> m_entries;
};

/// Determines which results of a cache are fresh for a recipe. All arguments must outlive the object and must
/// not change.
class Freshness {
public:
    Freshness(const StageCache& cache, const Recipe& resolved, bool isVolume)
        : m_cache(cache), m_resolved(resolved), m_isVolume(isVolume) {}

    /// Whether a stage is fresh. Each stage is compared only once, however many others depend on it.
    bool of(Stage stage);
    std::size_t compared() const { return m_compared; } ///< number of stages compared so far

private:
    bool find(Stage stage);

    const StageCache& m_cache;
    const Recipe& m_resolved;
    bool m_isVolume;
    std::array<std::optional<bool>, kStageCount> m_known;
    std::size_t m_compared = 0;
};

} // namespace scanloupe
