#pragma once
// The stages from voxels, or from a volume, to a scalar field and its automatic iso-value.
#include "engine/results/device_or_host.h"
#include "engine/stages/stage_run.h"
#include "kernels/field/core/scalar_field.h"

namespace scanloupe {

/// The distance that the field gathers from at this level of detail, metres; 0 for a volume.
float fieldRadius(const StageRun& run);

struct FieldStage {
    static constexpr Stage stage = Stage::field;
    using Result = DeviceOrHost<ScalarField>;
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
