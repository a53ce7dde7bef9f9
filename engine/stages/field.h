#pragma once
// The stages from voxels, or from a volume, to a scalar field and its automatic iso-value.
#include "engine/compute/device_or_host.h"
#include "engine/graph/stage_run.h"
#include "engine/results/field_change.h"
#include "kernels/field/core/scalar_field.h"

#include <cstdint>
#include <memory>

namespace scanloupe {

struct Snapshot;
class VoxelAttributes;

/// The distance that the field gathers from at this level of detail, metres; 0 for a volume.
float fieldRadius(const StageRun& run);

/// Memory of a brick of a field: its values, the cells that its surface may cross, and its key.
inline constexpr std::uint64_t kBrickBytes =
    kBrickNodes * sizeof(float) + kBrickEdge * sizeof(std::uint64_t) + sizeof(std::uint64_t);

/// A field. While a scan is edited by hand, the host keeps what it was computed from, so that the next one
/// takes over what stays.
struct ComputedField {
    DeviceOrHost<ScalarField> field;
    DeviceOrHost<VoxelGrid> voxels = {}; ///< input voxels; kept only when a trace is recorded
    std::shared_ptr<const VoxelAttributes> attributes = {}; ///< attributes that `params` refers to
    FieldParams params = {};
    std::shared_ptr<const cpu::DistanceTrace> trace = {}; ///< null: no inputs are kept
    FieldChange change = {};                              ///< from the last field
};

struct FieldStage {
    static constexpr Stage stage = Stage::field;
    using Result = ComputedField;
    static StageDeclaration declaration();
    /// @throws EngineError when memory is too small
    static Result compute(const StageRun& run);
    static void describe(StageTiming& timing, const StageRun& run, const Result& field);
    static void show(Snapshot& snapshot, const Result& field);
    static StageMemory bytes(const RunSize& size, const Recipe& resolved);
    static StageWork work(const RunSize& size, const Recipe& resolved);
    static void hold(HeldBytes& held, const Result& field);
};

/// An iso-value chosen from the field.
struct AutoIsoStage {
    static constexpr Stage stage = Stage::autoIso;
    using Result = double;
    static StageDeclaration declaration();
    static Result compute(const StageRun& run);
};

} // namespace scanloupe
