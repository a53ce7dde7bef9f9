// Intersects the surface with the middle plane of the section, on the host.
#include "engine/stages/section.h"

#include "engine/cloud/point_cloud.h"
#include "engine/graph/placement.h"
#include "engine/recipe/range_cut.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "engine/stages/smooth.h"
#include "engine/stages/surface.h"
#include "engine/stages/voxelize.h"

#include <algorithm>
#include <cmath>

namespace scanloupe {

StageDeclaration SectionStage::declaration() {
    return {.stage = stage,
            .name = "section",
            .reads = {{"section"}},
            .takes = surfaceStages(),
            .label = "Section",
            .colour = 0x884499,
            .onHostAlone = true};
}

bool SectionStage::isWanted(const Recipe& resolved, bool) {
    return resolved.section.has_value();
}

SectionStage::Result SectionStage::compute(const StageRun& run) {
    const Slab slab = pointCut(*run.recipe, run.isVolume() ? Vec3d{} : run.cloud->origin()).slab;
    SurfaceSupport support;
    const bool isOfPoints = !run.isVolume() && !run.wants(Stage::sculpt); // surfaces that brushes have
                                                                          // created are not near points
    if (isOfPoints && run.recipe->field == FieldKind::signedDistance) {
        const Vec3d size = *run.recipe->voxelSize;
        const double across = 0.75 * std::max({size.x, size.y, size.z}); // maximum distance of a voxel's mean
                                                                         // from the surface of the points
        const double moved = run.wants(Stage::smooth) ? double{run.taken<SmoothStage>()->maxMove} : 0;
        support = {&onHost(run, run.taken<VoxelizeStage>().grid),
                   float(std::abs(run.recipe->iso.value_or(0)) + across + moved)};
    }
    return std::make_shared<const SectionLines>(
        cpu::sectionLines(onHost(run, surfaceOf(run)), {slab.at, slab.normal}, run.stop, support));
}

void SectionStage::describe(StageTiming& timing, const StageRun&, const Result& section) {
    timing.bytes = section->bytes();
    timing.counts = {{"lines", section->lines.size()}};
}

void SectionStage::show(Snapshot& snapshot, const Result& section) {
    snapshot.section = section;
}

} // namespace scanloupe
