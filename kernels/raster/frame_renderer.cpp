// Prepares a scene for many frames, and renders them through a recorded graph.
#include "kernels/raster/frame_renderer.h"

#include "kernels/raster/raster_tuning.h"

#include <utility>

namespace scanloupe {

namespace {

constexpr cuda::RasterTuning kTuning;

/// Minimum number of triangles for building clusters. Measured with the raster benchmark: clusters do not
/// shorten a frame of 10 M triangles in the order of their vertices. For 10 M shuffled triangles, a frame
/// without clusters takes 2.6 times as long, and building them takes as long as 9 such frames save. For 100 M
/// triangles in order, it takes as long as 29 frames save.
constexpr std::size_t kFewestClustered = 8'000'000;

} // namespace

/// Builds the batches of the points. Takes the time of one frame and 1 byte per point; for points in random
/// order, the time of about five frames and 17 bytes per point.
void FrameRenderer::batchPoints() {
    PointBatches made = cuda::batchPoints(m_scene.points, BatchOrder::given, m_on);
    if (!made.areCompact())
        made = cuda::batchPoints(m_scene.points, BatchOrder::curve, m_on);
    if (!made.areCompact()) // A few distant points can put all other points into one cell of the curve.
        return;
    m_batches = std::move(made);
    m_scene.batches = &*m_batches;
}

/// Builds the clusters of the mesh. Takes about 10 bytes per triangle, and temporarily up to 16 more. In
/// return, the workspace of frames shrinks by 8 bytes per vertex and 4 per triangle.
void FrameRenderer::clusterMesh() {
    TriangleClusters made = cuda::clusterTriangles(*m_scene.mesh, m_on);
    if (made.unquantized > made.heads.size() / 4) // discards the clusters if more than a quarter is
                                                  // unquantized: the triangles hardly share vertices
        return;
    m_clusters = std::move(made);
    m_scene.clusters = &*m_clusters;
}

void FrameRenderer::prepareToDrawAgain() {
    const bool batched = kTuning.drawsBatches(m_scene),
               clustered = m_scene.mesh && m_scene.mesh->triangleCount() >= kFewestClustered;
    if (!batched && !clustered)
        return;
    m_frames.reset();
    try {
        if (batched)
            batchPoints();
        if (clustered)
            clusterMesh();
    } catch (const DeviceMemoryShort&) {
        drawWithoutPreparation();
    }
}

void FrameRenderer::drawWithoutPreparation() {
    m_frames.reset();
    m_scene.batches = nullptr;
    m_scene.clusters = nullptr;
    m_batches.reset();
    m_clusters.reset();
}

std::uint64_t FrameRenderer::preparedBytes() const {
    const std::lock_guard lock(m_mutex);
    return (m_batches ? m_batches->bytes() : 0) + (m_clusters ? m_clusters->bytes() : 0);
}

DeviceFrame FrameRenderer::draw(const Projection& projection, const Shading& shading,
                                const std::stop_token& stop) {
    if (stop.stop_requested())
        throw Cancelled();
    const std::lock_guard lock(m_mutex);
    if (++m_drawn == 2) // once a camera has moved, it is likely to move again
        prepareToDrawAgain();
    std::optional<DeviceFrame> frame;
    try {
        frame = drawFrame(projection, shading);
    } catch (const DeviceMemoryShort&) { // frames have priority: free the acceleration structures permanently
        if (!m_batches && !m_clusters)
            throw;
        drawWithoutPreparation();
    }
    if (!frame)
        frame = drawFrame(projection, shading);
    if (stop.stop_requested())
        throw Cancelled();
    return std::move(*frame);
}

DeviceFrame FrameRenderer::drawFrame(const Projection& projection, const Shading& shading) {
    const bool fits = m_frames && m_frames->image().width == projection.width &&
                      m_frames->image().height == projection.height;
    if (!fits) {
        m_frames.reset();
        m_frames = std::make_unique<cuda::RasterGraph>(m_scene, projection.width, projection.height,
                                                       cuda::RasterGraph::Output::image, kTuning, m_on);
    }
    m_frames->launch(projection, shading, m_on);
    // Copies the results, since the next frame reuses the graph's buffers.
    return DeviceFrame{
        {projection.width, projection.height,
         m_frames->visibility().pixels.copyTo(MemorySpace::device, m_on)},
        {projection.width, projection.height, m_frames->image().pixels.copyTo(MemorySpace::device, m_on)},
        m_frames->stats(m_on)}; // stats() synchronizes with the frame
}

} // namespace scanloupe
