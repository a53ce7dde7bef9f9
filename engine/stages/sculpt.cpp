// Applies the strokes of brushes to the field, where it lies.
#include "engine/stages/sculpt.h"

#include "engine/edit/pending_edits.h"
#include "engine/edit/sculpt_dabs.h"
#include "engine/stages/field.h"
#include "engine/stages/placement.h"
#include "kernels/field/operators.h"

#include <optional>

namespace scanloupe {

SculptedField SculptStage::compute(const StageRun& run) {
    const DeviceOrHost<ScalarField>& base = run.taken<FieldStage>().field;
    const EditLayers layers = sculptLayers(run.recipe->edits.layers);
    const SculptedField* last = run.last<SculptStage>();
    std::optional<EditLayers> pending;
    if (last && last->from == base)
        pending = pendingLayers(last->layers, layers);
    SculptedField result;
    result.from = base;
    result.layers = layers;
    const DeviceOrHost<ScalarField>& begin = pending ? last->field : base;
    const Vec3d origin = run.isVolume() ? Vec3d{} : run.cloud->origin();
    const auto dabs = sculptDabs(pending ? *pending : layers, origin, begin->lattice, run.stop);
    result.dabs = dabs.size();
    result.field = onDeviceOrHost(run, begin.onDevice(), [&](const Execution& on) {
        const std::uint64_t most = on.onDevice() ? kAnyBricks : mostBricks(run);
        return sculpt(inputFor(run, begin, on), dabs, most, on);
    });
    return result;
}

void SculptStage::describe(StageTiming& timing, const StageRun& run, const Result& sculpted) {
    describePlace(timing, run, sculpted.field);
    timing.bytes = sculpted.field->bytes();
    timing.counts = {{"bricks", sculpted.field->brickCount()}, {"dabs", sculpted.dabs}};
}

DeviceOrHost<ScalarField> sculptedField(const StageRun& run) {
    return run.wants(Stage::sculpt) ? run.get<SculptStage>().field : run.taken<FieldStage>().field;
}

const DeviceOrHost<ScalarField>& fieldOf(const StageRun& run) {
    return run.wants(Stage::sculpt) ? run.taken<SculptStage>().field : run.taken<FieldStage>().field;
}

} // namespace scanloupe
