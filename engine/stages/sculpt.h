#pragma once
// The stage that changes the field by the brushes of people.
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

/// The field as the layers of edits leave it.
struct SculptedField {
    DeviceOrHost<ScalarField> field;
    DeviceOrHost<ScalarField> from; ///< field that it was computed from
    EditLayers layers;              ///< layers that were applied
    EditLayers before;              ///< layers that the last run has already applied
    /// Ascending keys of the bricks that the layers may have changed, and of those that the last run has; see
    /// bricksNearDabs(). A file's function may change all of them.
    std::vector<std::uint64_t> bricks, lastBricks;
    std::weak_ptr<const void> lastField; ///< identity of the field that `lastBricks` differ from; may be none
    bool changesAll = false, lastChangesAll = false;
    std::uint64_t dabs = 0; ///< number of dabs of the last run
};

struct SculptStage {
    static constexpr Stage stage = Stage::sculpt;
    using Result = SculptedField;
    static StageDeclaration declaration();
    static bool isWanted(const Recipe& resolved, bool isVolume);
    /// Strokes that were added since the last result are applied to it.
    /// @throws EngineError for more dabs than a run can take; KernelError when memory is too small
    static Result compute(const StageRun& run);
    static void describe(StageTiming& timing, const StageRun& run, const Result& sculpted);
    static void show(Snapshot& snapshot, const Result& sculpted);
    static StageMemory bytes(const RunSize& size, const Recipe& resolved);
    static StageWork work(const RunSize& size, const Recipe& resolved);
    static void hold(HeldBytes& held, const Result& sculpted);
};

/// The field as brushes leave it, if there are any. It has run before.
const DeviceOrHost<ScalarField>& fieldOf(const StageRun& run);
/// How fieldOf() differs from an earlier one.
FieldChange fieldChange(const StageRun& run);

} // namespace scanloupe
