// Extracts the iso-surface of a field by marching cubes on the device, and measures the time of each step.
#include "kernels/mesh/core/mesh_limits.h"
#include "kernels/mesh/extract/cuda_surface_space.cuh"

namespace scanloupe::cuda {

TriangleMesh extractSurface(const ScalarField& field, float iso, const std::stop_token& stop,
                            StreamView stream) {
    requireIso(iso);
    const WallTimer wall;
    const auto throwIfStopped = [&] {
        if (stop.stop_requested())
            throw Cancelled();
    };
    throwIfStopped();
    if (field.brickCount() == 0)
        return emptyMesh(0, 0, stream);
    EventTimer whole(stream), classify(stream);
    SurfaceSpace space(field, stream);
    space.setIso(iso, stream);
    SurfaceWork work = space.work(field);
    queueClassify(work, stream);
    classify.stop();
    EventTimer scan(stream);
    queueScan(work, stream);
    scan.stop();
    EventTimer compact(stream);
    queueCompact(work, stream);
    compact.stop();

    const SurfaceSums sums = space.readCounts(stream).sums;
    throwIfStopped();
    requireIndexable(sums.vertices, sums.triangles);
    TriangleMesh mesh = emptyMesh(sums.vertices, sums.triangles, stream);
    writeTo(mesh, work);
    EventTimer generate(stream);
    queueGenerate(work, sums.bricks, stream);
    generate.stop();
    whole.stop();
    mesh.zeroAreaTriangles = space.readCounts(stream).zeroArea;
    mesh.activeBricks = sums.bricks;
    mesh.activeCells = sums.cells;
    mesh.classifyMs = classify.elapsedMs();
    mesh.scanMs = scan.elapsedMs();
    mesh.compactMs = compact.elapsedMs();
    mesh.generateMs = generate.elapsedMs();
    mesh.cost.deviceMs = whole.elapsedMs();
    mesh.cost.bytes = mesh.bytes();
    mesh.cost.wallMs = wall.elapsedMs();
    return mesh;
}

} // namespace scanloupe::cuda
