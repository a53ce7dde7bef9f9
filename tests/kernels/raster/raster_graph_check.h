#pragma once
// Compares a scene as drawn by a graph with the CPU's picture of it.
#include "kernels/raster/clusters/triangle_clusters.h"
#include "kernels/raster/raster_graph.h"
#include "tests/kernels/raster/raster_crowd.h"

#include <string>

namespace scanloupe::test {

/// Draws a scene with a graph, and compares all results with those of the CPU.
inline std::string graphDifference(const RasterScene& scene, const RasterScene& there, const Projection& p,
                                   const cuda::RasterTuning& tuning, StreamView stream,
                                   RasterStats* counted) {
    cuda::RasterGraph graph(there, p.width, p.height, cuda::RasterGraph::Output::image, tuning, stream);
    graph.launch(p, {}, stream);
    RasterStats expected;
    const auto seen = cpu::rasterize(scene, p, expected, {});
    const RasterStats stats = graph.stats(stream);
    if (counted)
        *counted = stats;
    if (const auto why = difference(seen, graph.visibility().download(stream)); !why.empty())
        return why;
    if (stats.drawnPixels != expected.drawnPixels || stats.rejectedNotFinite != expected.rejectedNotFinite)
        return "other counts";
    return difference(cpu::resolve(seen, scene, p, {}, {}), graph.image().download(stream));
}
/// Compares a scene without clusters by both paths, for small and for large meshes; then compares it with
/// clusters.
inline std::string graphDifference(const RasterScene& scene, const Projection& p,
                                   const cuda::RasterTuning& tuning, RasterStats* counted = nullptr) {
    const Stream stream;
    const DeviceScene device(scene, stream);
    const std::string without = graphDifference(scene, device.scene(), p, tuning, stream, counted);
    if (!scene.mesh || !without.empty())
        return without;
    cuda::RasterTuning many = tuning;
    many.smallMeshTriangles = 0;
    if (const auto why = graphDifference(scene, device.scene(), p, many, stream, nullptr); !why.empty())
        return "as of many: " + why;
    const TriangleClusters clusters = cuda::clusterTriangles(*device.scene().mesh, stream);
    RasterScene there = device.scene();
    there.clusters = &clusters;
    const std::string with = graphDifference(scene, there, p, tuning, stream, nullptr);
    return with.empty() ? with : "with clusters: " + with;
}

} // namespace scanloupe::test
