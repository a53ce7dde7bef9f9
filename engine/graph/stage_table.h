#pragma once
// Declares what a stage is to the graph: what it takes, when a recipe wants it, its memory and its work. Each
// stage declares that itself; stageDeclarations() lists them.
#include "engine/graph/run_size.h"
#include "engine/recipe/stage.h"

#include <any>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

class HeldBytes;
struct Parameter;
struct Recipe;

/// A condition on a resolved recipe and the kind of input.
using StageCondition = bool (*)(const Recipe& resolved, bool isVolume);

/// A parameter that a stage reads: the stage runs again when the value changes.
struct ReadParameter {
    /// @param when null: always; may depend only on parameters that the stage reads, too
    /// @param isGraded the value says how much of its result the stage makes; a result that has as much is
    /// used again
    /// @throws EngineError for an unknown key
    ReadParameter(std::string_view key, StageCondition when = nullptr, bool isGraded = false);

    const Parameter* parameter;
    StageCondition when;
    bool isGraded;
};

/// A stage whose result another stage takes.
struct TakenStage {
    Stage stage;
    /// Null: always. May depend only on parameters that the taking stage reads.
    StageCondition when = nullptr;
};

/// Colour of bars of rows that have none of their own, RGB.
inline constexpr std::uint32_t kPlainBar = 0xcc79a7;

/// A row of the timings.
struct TimingRow {
    const char* name;                 ///< as in JSON, e.g. "voxelize"
    const char* label;                ///< for people, e.g. "Voxelize"
    std::uint32_t colour = kPlainBar; ///< RGB of its bar
    /// What there is to do. Null: its time is not forecast.
    StageWork (*work)(const RunSize& size, const Recipe& resolved) = nullptr;
};

struct StageDeclaration {
    Stage stage;
    const char* name; ///< e.g. "voxelize"
    /// Null: always. The result of a stage that a recipe doesn't want is released, and nobody takes it.
    StageCondition isWanted = nullptr;
    std::vector<ReadParameter> reads = {};
    std::vector<TakenStage> takes = {};
    /// When its result, which is large, is released before a stage that it depends on runs on the host, as on
    /// the device: null: never.
    StageCondition isReleasedFirst = nullptr;
    /// Parts of a recipe that are no Parameter.
    bool readsCamera = false;
    bool readsLayers = false;    ///< Edits::layers that change points
    bool readsSculpting = false; ///< Edits::layers that change the field
    bool readsSelection = false; ///< Edits::selection
    /// When this stage runs, its result stays, on the device, too: the next one begins with it.
    std::optional<Stage> continuesAcross = {};
    /// When a run waits for its result. Null: whenever it is stale.
    StageCondition isWaitedFor = nullptr;
    /// Of its row in the timings. A stage without `describe` has none: it is timed as a part of the stage
    /// that asks for its result.
    const char* label = "";
    std::uint32_t colour = kPlainBar;
    std::vector<TimingRow> rows = {}; ///< further ones; in the table, after its own
    bool bySycl = false;              ///< it has kernels for SYCL
    bool onHostAlone = false;         ///< it has none for CUDA either
    /// Memory on the host. Null: too little to be counted.
    StageMemory (*bytes)(const RunSize& size, const Recipe& resolved) = nullptr;
    /// Adds sentences on the result to the notes of a run. Null: there is nothing to note.
    void (*note)(std::vector<std::string>& notes, const Recipe& resolved, const std::any& result) = nullptr;
    /// Counts the memory of a result that is kept for later runs. Null: a few numbers, or shared by all runs.
    void (*hold)(HeldBytes& held, const std::any& result) = nullptr;
};

/// All stages, in the order of the data flow; engine/stages/all_stages.cpp lists them.
std::span<const StageDeclaration> stageDeclarations();
const StageDeclaration& declarationOf(Stage stage);

/// Conditions on the input alone.
inline bool ofCloud(const Recipe&, bool isVolume) {
    return !isVolume;
}
inline bool ofVolume(const Recipe&, bool isVolume) {
    return isVolume;
}

bool isWanted(Stage stage, const Recipe& resolved, bool isVolume);
/// Whether `stage` takes the result of `other` for this recipe.
bool takes(Stage stage, Stage other, const Recipe& resolved, bool isVolume);
/// Whether another value of a parameter makes the result of a stage stale.
bool reads(Stage stage, const Parameter& parameter, const Recipe& resolved, bool isVolume);
/// Whether all parameters that a stage reads have the same values in two resolved recipes.
bool readsTheSame(Stage stage, const Recipe& a, const Recipe& b, bool isVolume);

} // namespace scanloupe
