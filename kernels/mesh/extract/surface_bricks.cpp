// Extracts surfaces together with their bricks on the CPU.
#include "kernels/mesh/extract/surface_bricks.h"

#include "kernels/mesh/extract/surface_memory.h"

namespace scanloupe::cpu {

BrickedSurface extractBricks(const ScalarField& field, float iso, const std::stop_token& stop) {
    SurfaceTrace trace;
    BrickedSurface surface;
    surface.mesh = extractSurface(field, iso, stop, nullptr, &trace);
    SurfaceBricks& bricks = surface.bricks;
    for (std::size_t b = 0; b < trace.keys.size(); ++b) {
        if (trace.masks.vertices[b] + trace.masks.triangles[b] == 0)
            continue;
        bricks.keys.push_back(trace.keys[b]);
        bricks.firstVertex.push_back(trace.vertex[b]);
        bricks.firstTriangle.push_back(trace.triangle[b]);
    }
    bricks.firstVertex.push_back(surface.mesh.vertexCount());
    bricks.firstTriangle.push_back(surface.mesh.triangleCount());
    return surface;
}

} // namespace scanloupe::cpu
