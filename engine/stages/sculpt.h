#pragma once
// Declares the stage that applies the user's brush strokes to the field.
#include "engine/compute/device_or_host.h"
#include "engine/edit/edits.h"
#include "engine/graph/stage_run.h"
#include "engine/results/field_change.h"
#include "kernels/field/core/scalar_field.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace scanloupe {

struct Snapshot;

/// The field after the layers of brush strokes.
struct SculptedField {
    DeviceOrHost<ScalarField> field;
    DeviceOrHost<ScalarField> from; ///< the field before the strokes
    EditLayers layers;              ///< the layers that were applied
    EditLayers before;              ///< the layers that the last run has already applied
    /// Ascending keys of the bricks that the layers, or the layers of the last run, may have changed; see
    /// bricksNearDabs(). A CUDA file may change all bricks.
    std::vector<std::uint64_t> bricks, lastBricks;
    std::weak_ptr<const void> lastField; ///< identity of the field that `lastBricks` refer to; empty if there
                                         ///< is none
    bool changesAll = false, lastChangesAll = false;
    std::uint64_t dabs = 0; ///< number of dabs that the last run has applied
};

struct SculptStage {
    static constexpr Stage stage = Stage::sculpt;
    using Result = SculptedField;
    static StageDeclaration declaration();
    static bool isWanted(const Recipe& resolved, bool isVolume);
    /// Computes the changed field. Strokes that were added since the last result are applied to that result.
    /// @throws EngineError for more dabs than a run can process; KernelError if the memory is too small
    static Result compute(const StageRun& run);
    static void describe(StageTiming& timing, const StageRun& run, const Result& sculpted);
    static void show(Snapshot& snapshot, const Result& sculpted);
    static StageMemory bytes(const RunSize& size, const Recipe& resolved);
    static StageWork work(const RunSize& size, const Recipe& resolved);
    static void hold(HeldBytes& held, const Result& sculpted);
};

/// Returns the field after brush strokes, or the original field without strokes. These stages must have run.
const DeviceOrHost<ScalarField>& fieldOf(const StageRun& run);
/// Returns the difference between fieldOf() and an earlier field.
FieldChange fieldChange(const StageRun& run);

} // namespace scanloupe
