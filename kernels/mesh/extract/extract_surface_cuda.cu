// Extracts the iso-surface of a field by marching cubes on the device, and measures the time of each step.
#include "kernels/mesh/core/mesh_limits.h"
#include "kernels/mesh/extract/cuda_surface_space.cuh"
#include "kernels/mesh/extract/surface_bricks.h"

namespace scanloupe::cuda {

namespace {

/// Extracts a surface. @param bricks receives the bricks that contain surface, ascending; may be null
TriangleMesh extract(const ScalarField& field, float iso, const std::stop_token& stop, StreamView stream,
                     std::vector<BrickEntry>* bricks) {
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
    if (bricks) {
        bricks->resize(sums.bricks);
        check(cudaMemcpyAsync(bricks->data(), work.list, bricks->size() * sizeof(BrickEntry),
                              cudaMemcpyDeviceToHost, ownStream(stream)),
              "cudaMemcpyAsync");
        stream.synchronize();
    }
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

} // namespace

TriangleMesh extractSurface(const ScalarField& field, float iso, const std::stop_token& stop,
                            StreamView stream) {
    return extract(field, iso, stop, stream, nullptr);
}

BrickedSurface extractBricks(const ScalarField& field, float iso, const std::stop_token& stop,
                             StreamView stream) {
    std::vector<BrickEntry> entries;
    BrickedSurface surface;
    surface.mesh = extract(field, iso, stop, stream, &entries);
    SurfaceBricks& bricks = surface.bricks;
    for (const BrickEntry& entry : entries) {
        bricks.keys.push_back(brickKey(entry.place, field.brickDims));
        bricks.firstVertex.push_back(entry.firstVertex);
        bricks.firstTriangle.push_back(entry.firstTriangle);
    }
    bricks.firstVertex.push_back(surface.mesh.vertexCount());
    bricks.firstTriangle.push_back(surface.mesh.triangleCount());
    return surface;
}

} // namespace scanloupe::cuda
