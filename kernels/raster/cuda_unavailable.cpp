// Provides stubs for the .cu files in a build without nvcc.
#include "kernels/core/cuda_unavailable.h"
#include "kernels/raster/clusters/triangle_clusters.h"
#include "kernels/raster/colours/colour_values.h"
#include "kernels/raster/points/point_batches.h"
#include "kernels/raster/raster_graph.h"
#include "kernels/raster/resolve/mapped_colours.h"
#include "kernels/raster/resolve/samples.h"
#include "kernels/raster/view_item.h"

namespace scanloupe::cuda {

Buffer<float> gatherValues(const ValueColumn&, std::size_t, StreamView) {
    detail::throwNoCuda();
}
Buffer<float> gatherValues(const ValueColumn&, const Buffer<std::uint32_t>&, StreamView) {
    detail::throwNoCuda();
}
Buffer<std::uint32_t> mappedColours(const Buffer<float>&, const Colouring&, StreamView) {
    detail::throwNoCuda();
}
Buffer<std::uint32_t> gatherColours(const ColourColumns&, std::size_t, StreamView) {
    detail::throwNoCuda();
}
Buffer<std::uint32_t> gatherColours(const ColourColumns&, const Buffer<std::uint32_t>&, StreamView) {
    detail::throwNoCuda();
}
Buffer<std::uint32_t> gatherColours(const ClassColumn&, std::size_t, StreamView) {
    detail::throwNoCuda();
}
Buffer<std::uint32_t> gatherColours(const ClassColumn&, const Buffer<std::uint32_t>&, StreamView) {
    detail::throwNoCuda();
}
Buffer<std::uint8_t> presentClasses(const std::uint32_t*, const std::uint32_t*, std::size_t, std::size_t,
                                    StreamView) {
    detail::throwNoCuda();
}
ValueLimits limitsOf(const Buffer<float>&, StreamView) {
    detail::throwNoCuda();
}
TriangleClusters clusterTriangles(const TriangleMesh&, StreamView) {
    detail::throwNoCuda();
}
void packVertices(const TriangleMesh&, const Colouring&, MeshVertex*, StreamView) {
    detail::throwNoCuda();
}
void packBoxes(const VoxelGrid&, const Colouring&, BoxInstance*, StreamView) {
    detail::throwNoCuda();
}
PointBatches batchPoints(std::span<const Vec3f>, BatchOrder, StreamView) {
    detail::throwNoCuda();
}
void addSample(SampleSums&, const Image&, StreamView) {
    detail::throwNoCuda();
}
Image meanOfSamples(const SampleSums&, StreamView) {
    detail::throwNoCuda();
}
struct RasterGraph::State {};
RasterGraph::RasterGraph(const RasterScene&, int, int, Output, const RasterTuning&, StreamView) {
    detail::throwNoCuda();
}
RasterGraph::~RasterGraph() = default;
void RasterGraph::launch(const Projection&, const Shading&, StreamView) {
    detail::throwNoCuda();
}
const VisibilityBuffer& RasterGraph::visibility() const {
    detail::throwNoCuda();
}
const Image& RasterGraph::image() const {
    detail::throwNoCuda();
}
RasterStats RasterGraph::stats(StreamView) const {
    detail::throwNoCuda();
}

} // namespace scanloupe::cuda
