#pragma once
// Declares the stages of the pipeline: which results each one takes, and when a recipe wants it. Which
// parameters a stage reads is declared with the parameters (ParameterReader).
#include "engine/recipe/recipe.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace scanloupe {

/// The stages, in the order of the data flow.
enum class Stage : std::uint8_t {
    upload,       ///< points in the layout that kernels read
    edit,         ///< points as the layers of edits leave them
    selection,    ///< which of them are selected
    voxelize,     ///< voxels with means and classes
    field,        ///< the scalar field
    autoIso,      ///< an iso-value chosen from the field
    sculpt,       ///< the field as brushes leave it
    shownVoxels,  ///< voxels as brushes leave them, or those that a volume's surface lies in
    extract,      ///< the surface
    clean,        ///< the surface after clean-up
    section,      ///< the lines in which the section cuts the surface
    pointSearch,  ///< a search tree over the points in range
    distances,    ///< from the surface's vertices to the points
    topology,     ///< edges and components of the surface
    triangleTree, ///< a search tree over the surface's triangles
    quality,      ///< quality measures of the surface
    scene,        ///< what is drawn, with its colours
    picture,      ///< the rendered pixels
    voxelView,    ///< boxes and colours of the window's voxel view, which it makes itself
    meshView,     ///< triangles and colours of the window's mesh view, which it makes itself
};
inline constexpr std::size_t kStageCount = 20;

/// A condition on a resolved recipe and the kind of input.
using StageCondition = bool (*)(const Recipe& resolved, bool isVolume);

/// A stage whose result another stage takes.
struct TakenStage {
    Stage stage;
    /// Null: always. May depend only on parameters that the taking stage reads.
    StageCondition when = nullptr;
};

struct StageDeclaration {
    Stage stage;
    const char* name; ///< as in the timings, e.g. "voxelize"
    /// Null: always. The result of a stage that a recipe doesn't want is released, and nobody takes it.
    StageCondition isWanted = nullptr;
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
};

/// All stages, in the order of the data flow.
std::span<const StageDeclaration> stageDeclarations();
const StageDeclaration& declarationOf(Stage stage);

bool isWanted(Stage stage, const Recipe& resolved, bool isVolume);
/// Whether `stage` takes the result of `other` for this recipe.
bool takes(Stage stage, Stage other, const Recipe& resolved, bool isVolume);
/// Whether all parameters that a stage reads have the same values in two resolved recipes.
bool readsTheSame(Stage stage, const Recipe& a, const Recipe& b, bool isVolume);

} // namespace scanloupe
