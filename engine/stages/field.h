#pragma once
// Declares the stages that compute a scalar field from voxels or from a volume, and its automatic iso-value.
#include "engine/compute/device_or_host.h"
#include "engine/graph/stage_run.h"
#include "engine/results/field_change.h"
#include "kernels/field/core/scalar_field.h"

#include <cstdint>
#include <memory>

namespace scanloupe {

struct Snapshot;
class VoxelAttributes;

/// Returns the distance over which the field gathers points at this level of detail, metres; 0 for a volume.
float fieldRadius(const StageRun& run);

/// Memory of one brick of a field: its values, the mask of cells that the surface may cross, and its key.
inline constexpr std::uint64_t kBrickBytes =
    kBrickNodes * sizeof(float) + kBrickEdge * sizeof(std::uint64_t) + sizeof(std::uint64_t);

/// A field. While the user edits a scan, the host keeps the inputs of the field, so that the next field can
/// reuse unchanged parts.
struct ComputedField {
    DeviceOrHost<ScalarField> field;
    DeviceOrHost<VoxelGrid> voxels = {}; ///< input voxels; kept only if a trace is recorded
    std::shared_ptr<const VoxelAttributes> attributes = {}; ///< attributes that the field's parameters refer
                                                            ///< to
    FieldParams params = {};
    std::shared_ptr<const cpu::DistanceTrace> trace = {}; ///< intermediate results; null: none are kept
    FieldChange change = {};                              ///< difference from the previous field
};

struct FieldStage {
    static constexpr Stage stage = Stage::field;
    using Result = ComputedField;
    static StageDeclaration declaration();
    /// Computes the field. @throws EngineError if the memory is too small
    static Result compute(const StageRun& run);
    static void describe(StageTiming& timing, const StageRun& run, const Result& field);
    static void show(Snapshot& snapshot, const Result& field);
    static StageMemory bytes(const RunSize& size, const Recipe& resolved);
    static StageWork work(const RunSize& size, const Recipe& resolved);
    static void hold(HeldBytes& held, const Result& field);
};

/// Chooses an iso-value from the field.
struct AutoIsoStage {
    static constexpr Stage stage = Stage::autoIso;
    using Result = double;
    static StageDeclaration declaration();
    static Result compute(const StageRun& run);
};

} // namespace scanloupe
