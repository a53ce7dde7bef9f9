#pragma once
// Declares the properties of a stage in the graph: its dependencies, when a recipe requires it, its memory
// and its work. Each stage has such a declaration; stageDeclarations() lists them.
#include "engine/graph/run_note.h"
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

/// A parameter that a stage reads. The stage runs again if its value changes.
struct ReadParameter {
    /// @param when condition for reading it; null: always. May only depend on parameters that the stage reads
    /// @param isGraded whether the value determines the amount of the result; a larger result is reused
    /// @throws EngineError for an unknown key
    ReadParameter(std::string_view key, StageCondition when = nullptr, bool isGraded = false);

    const Parameter* parameter;
    StageCondition when;
    bool isGraded;
};

/// A stage on whose result another stage depends.
struct TakenStage {
    Stage stage;
    /// Condition of the dependency; null: always. May only depend on parameters that the dependent stage
    /// reads.
    StageCondition when = nullptr;
};

/// Default colour of a row's bar, RGB.
inline constexpr std::uint32_t kPlainBar = 0xcc79a7;

/// A row of the timings.
struct TimingRow {
    const char* name;                 ///< as in JSON, e.g. "voxelize"
    const char* label;                ///< label for users, e.g. "Voxelize"
    std::uint32_t colour = kPlainBar; ///< colour of its bar, RGB
    /// Work of the row. Null: its time is not forecast.
    StageWork (*work)(const RunSize& size, const Recipe& resolved) = nullptr;
};

struct StageDeclaration {
    Stage stage;
    const char* name; ///< e.g. "voxelize"
    /// Whether a recipe requires the stage; null: always. Otherwise its result is released and not used by
    /// other stages.
    StageCondition isWanted = nullptr;
    std::vector<ReadParameter> reads = {};
    std::vector<TakenStage> takes = {};
    /// Whether its (large) result is released before a stage that it depends on runs on the host, as always
    /// on the device; null: never.
    StageCondition isReleasedFirst = nullptr;
    /// Inputs from the recipe that are not a Parameter.
    bool readsCamera = false;
    bool readsLayers = false;    ///< Edits::layers that change points
    bool readsSculpting = false; ///< Edits::layers that change the field
    bool readsSelection = false; ///< Edits::selection
    /// When the named stage runs again, the result of the declaring stage is kept, even on the device, since
    /// the declaring stage continues from it.
    std::optional<Stage> continuesAcross = {};
    /// When a run waits for its result; null: whenever it is stale.
    StageCondition isWaitedFor = nullptr;
    /// Label of its row in the timings. A stage without `describe` has no row: its time is part of the stage
    /// that requests its result.
    const char* label = "";
    std::uint32_t colour = kPlainBar;
    std::vector<TimingRow> rows = {}; ///< additional rows, listed after its own row
    bool bySycl = false;              ///< whether it has SYCL kernels
    bool onHostAlone = false;         ///< whether it has no CUDA kernels
    /// Memory on the host. Null: negligible.
    StageMemory (*bytes)(const RunSize& size, const Recipe& resolved) = nullptr;
    /// Adds messages about the result to the notes of a run. Null: none.
    void (*note)(RunNotes& notes, const Recipe& resolved, const std::any& result) = nullptr;
    /// Counts the memory of a result that is kept for later runs. Null: negligible, or shared by all runs.
    void (*hold)(HeldBytes& held, const std::any& result) = nullptr;
};

/// Returns all stages in the order of the data flow, as listed in engine/stages/all_stages.cpp.
std::span<const StageDeclaration> stageDeclarations();
const StageDeclaration& declarationOf(Stage stage);

/// Conditions that only depend on the kind of input.
inline bool ofCloud(const Recipe&, bool isVolume) {
    return !isVolume;
}
inline bool ofVolume(const Recipe&, bool isVolume) {
    return isVolume;
}

bool isWanted(Stage stage, const Recipe& resolved, bool isVolume);
/// Whether `stage` depends on the result of `other` for this recipe.
bool takes(Stage stage, Stage other, const Recipe& resolved, bool isVolume);
/// Whether a change of a parameter makes the result of a stage stale.
bool reads(Stage stage, const Parameter& parameter, const Recipe& resolved, bool isVolume);
/// Whether all parameters that a stage reads have the same values in two resolved recipes.
bool readsTheSame(Stage stage, const Recipe& a, const Recipe& b, bool isVolume);

} // namespace scanloupe
