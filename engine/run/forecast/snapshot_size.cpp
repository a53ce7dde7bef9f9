// Reads the sizes of a run's results.
#include "engine/run/forecast/snapshot_size.h"

#include "engine/results/kernel_points.h"
#include "engine/results/quality.h"
#include "engine/results/snapshot.h"
#include "engine/stages/attributes.h"

namespace scanloupe {

RunSize runSizeOf(const Snapshot& snapshot) {
    RunSize size;
    size.points = double(snapshot.points->size());
    size.pointsInRange = double(snapshot.voxels->stats.pointsInRange);
    size.voxels = double(snapshot.voxels->size());
    size.bricks = double(snapshot.field->brickCount());
    size.triangles = double(snapshot.mesh->triangleCount());
    size.extracted = {snapshot.mesh->vertexCount(), snapshot.mesh->triangleCount()};
    if (snapshot.cleanUp)
        size.extracted = {snapshot.cleanUp->verticesBefore, snapshot.cleanUp->trianglesBefore};
    size.attributes = countsLookedAt(snapshot.resolved, *snapshot.cloud);
    return size;
}

} // namespace scanloupe
