#pragma once
// Keeps the last result of each stage, and tells from the declarations whether it is still fresh.
#include "engine/recipe/stage.h"

#include <any>
#include <array>
#include <memory>
#include <optional>
#include <utility>

namespace scanloupe {

/// Identifies a result: two are the same if their identities are. Does not keep the result alive.
using ResultIdentity = std::shared_ptr<const void>;
/// The identities of the results of all stages; null where there is none.
using ResultIdentities = std::array<ResultIdentity, kStageCount>;

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
    struct Entry {
        std::any result;
        ResultIdentity identity;
        Recipe recipe; ///< resolved, as the stage read it
        bool isVolume = false;
        ResultIdentities taken; ///< null where the stage took none
    };
    const std::optional<Entry>& entry(Stage stage) const { return m_entries[std::size_t(stage)]; }
    ResultIdentity identity(Stage stage) const { return entry(stage) ? entry(stage)->identity : nullptr; }

    std::array<std::optional<Entry>, kStageCount> m_entries;
};

} // namespace scanloupe
