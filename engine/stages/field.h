#pragma once
// The stages from voxels, or from a volume, to a scalar field and its automatic iso-value.
#include "engine/results/field_change.h"
#include "engine/results/voxel_attributes.h"
#include "engine/stages/stage_run.h"
#include "kernels/field/core/scalar_field.h"

#include <memory>

namespace scanloupe {

/// The distance that the field gathers from at this level of detail, metres; 0 for a volume.
float fieldRadius(const StageRun& run);

/// A field. While a scan is edited by hand, the host keeps what it was computed from, so that the next one
/// takes over what stays.
struct ComputedField {
    DeviceOrHost<ScalarField> field;
    DeviceOrHost<VoxelGrid> voxels = {};                    ///< with a trace: that it was made of
    std::shared_ptr<const VoxelAttributes> attributes = {}; ///< that `params` points to
    FieldParams params = {};
    std::shared_ptr<const cpu::DistanceTrace> trace = {}; ///< null: nothing is kept
    FieldChange change = {};                              ///< from the last field
};

struct FieldStage {
    static constexpr Stage stage = Stage::field;
    using Result = ComputedField;
    /// @throws EngineError when memory is too small
    static Result compute(const StageRun& run);
    static void describe(StageTiming& timing, const StageRun& run, const Result& field);
};

/// An iso-value chosen from the field.
struct AutoIsoStage {
    static constexpr Stage stage = Stage::autoIso;
    using Result = double;
    static Result compute(const StageRun& run);
};

} // namespace scanloupe
