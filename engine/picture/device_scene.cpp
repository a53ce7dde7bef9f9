// Copies a scene to the device, and renders frames of it through a CUDA graph.
#include "engine/picture/device_scene.h"

#include "kernels/voxelize/operators.h"

#include <utility>

namespace scanloupe {

namespace {

constexpr cuda::RasterTuning kTuning;

template <class T>
Buffer<T> onDevice(const T* values, std::size_t count, StreamView stream) {
    auto buffer = Buffer<T>::in(MemorySpace::device, count, stream);
    detail::copyBytes(buffer.data(), MemorySpace::device, values, MemorySpace::host, buffer.bytes(), stream);
    return buffer;
}

/// Smallest number of triangles for which clusters are built. By the raster benchmark, clusters do not
/// shorten a frame of 10 M triangles in the order of their vertices. Without clusters, a frame of 10 M
/// shuffled triangles takes 2.6 times as long; building them costs what 9 such frames save, and at 100 M
/// triangles in order what 29 frames save.
constexpr std::size_t kFewestClustered = 8'000'000;

} // namespace

bool liesOnDevice(const Snapshot& of, const Recipe& look, const DevicePlace& place) {
    if (!place.stream || !canColourOnDevice(look))
        return false;
    if (of.volume)
        return of.mesh.onDevice();
    if (!of.voxels.onDevice()) // colours are computed from the voxels
        return false;
    return look.show == PictureContent::mesh     ? of.mesh.onDevice()
           : look.show == PictureContent::points ? place.points != nullptr
                                                 : true;
}

DeviceScene::DeviceScene(const Snapshot& of, const Recipe& look, const DevicePlace& place,
                         const RasterScene& style, const std::stop_token& stop)
    : m_stream(place.stream), m_scene(style) {
    const StreamView on = *m_stream;
    // of points on the host, only the names and offsets of the channels are read
    ColourSource source = colourSource(of, place.points ? place.points.get() : of.points.get(),
                                       of.voxels ? &of.voxels.device() : nullptr);
    source.device = on;
    if (look.show == PictureContent::mesh || of.volume) {
        m_shownMesh = of.mesh;
        m_scene.mesh = &m_shownMesh.device();
        m_colours = colourMesh(look, source, *m_scene.mesh, stop);
        m_scene.meshColour = m_colours.colouring();
    } else if (look.show == PictureContent::voxels) {
        m_shownVoxels = of.voxels;
        m_scene.voxels = &m_shownVoxels.device();
        m_colours = colourVoxels(look, source, stop);
        m_scene.voxelColour = m_colours.colouring();
    } else {
        m_points = pointsInVoxels(place.points->positions, of.voxels.device().pointVoxel, {on, stop});
        m_scene.points = {m_points.data(), m_points.size()};
        m_colours = colourPoints(look, source, stop);
        m_scene.pointColour = m_colours.colouring();
    }
    on.synchronize(); // frames may be rendered from any thread
}

DeviceScene::Colours DeviceScene::upload(Colouring& colouring, std::size_t count) const {
    Colours colours;
    if (colouring.values) {
        colours.values = onDevice(colouring.values, count, *m_stream);
        colouring.values = colours.values.data();
    }
    if (colouring.rgba) {
        colours.rgba = onDevice(colouring.rgba, count, *m_stream);
        colouring.rgba = colours.rgba.data();
    }
    return colours;
}

DeviceScene::DeviceScene(const RasterScene& host, const DeviceOrHost<TriangleMesh>& mesh,
                         const DeviceOrHost<VoxelGrid>& voxels, std::shared_ptr<const Stream> stream)
    : m_stream(std::move(stream)), m_shownMesh(mesh), m_shownVoxels(voxels), m_scene(host) {
    const StreamView on = *m_stream;
    if (!host.points.empty()) {
        m_points = onDevice(host.points.data(), host.points.size(), on);
        m_scene.points = {m_points.data(), m_points.size()};
        m_pointColours = upload(m_scene.pointColour, host.points.size());
    }
    if (host.voxels) {
        if (voxels.onDevice()) {
            m_scene.voxels = &voxels.device();
        } else {
            m_voxels.shape = host.voxels->shape;
            m_voxels.keys = host.voxels->keys.copyTo(MemorySpace::device, on);
            m_scene.voxels = &m_voxels;
        }
        m_voxelColours = upload(m_scene.voxelColour, host.voxels->size());
    }
    if (host.mesh) {
        if (mesh.onDevice()) {
            m_scene.mesh = &mesh.device();
        } else {
            m_mesh.positions = host.mesh->positions.copyTo(MemorySpace::device, on);
            m_mesh.normals = host.mesh->normals.copyTo(MemorySpace::device, on);
            m_mesh.indices = host.mesh->indices.copyTo(MemorySpace::device, on);
            m_scene.mesh = &m_mesh;
        }
        m_meshColours = upload(m_scene.meshColour, host.mesh->vertexCount());
    }
    on.synchronize(); // the sources of the copies may be freed now
}

/// Takes as long as one frame, and 1 byte a point; for points in random order as long as about five frames,
/// and 17 bytes a point.
void DeviceScene::batchPoints(StreamView on) {
    PointBatches made = cuda::batchPoints(m_scene.points, BatchOrder::given, on);
    if (!made.pays())
        made = cuda::batchPoints(m_scene.points, BatchOrder::curve, on);
    if (!made.pays()) // a few distant points can put all others into one cell of the curve
        return;
    m_batches = std::move(made);
    m_scene.batches = &*m_batches;
}

/// Takes some 10 bytes a triangle, and up to 16 more while it runs. In return, frames save the 8 bytes a
/// vertex and 4 a triangle of their workspace.
void DeviceScene::clusterMesh(StreamView on) {
    TriangleClusters made = cuda::clusterTriangles(*m_scene.mesh, on);
    if (made.loose > made.heads.size() / 4) // triangles that share no vertices
        return;
    m_clusters = std::move(made);
    m_scene.clusters = &*m_clusters;
}

void DeviceScene::prepareToDrawAgain(StreamView on) {
    const bool batched = kTuning.drawsBatches(m_scene),
               clustered = m_scene.mesh && m_scene.mesh->triangleCount() >= kFewestClustered;
    if (!batched && !clustered)
        return;
    m_frames.reset();
    try {
        if (batched)
            batchPoints(on);
        if (clustered)
            clusterMesh(on);
    } catch (const DeviceMemoryShort&) {
        drawWithoutPreparation();
    }
}

void DeviceScene::drawWithoutPreparation() {
    m_frames.reset();
    m_scene.batches = nullptr;
    m_scene.clusters = nullptr;
    m_batches.reset();
    m_clusters.reset();
}

std::uint64_t DeviceScene::preparedBytes() const {
    const std::lock_guard lock(m_mutex);
    return (m_batches ? m_batches->bytes() : 0) + (m_clusters ? m_clusters->bytes() : 0);
}

DeviceFrame DeviceScene::draw(const Projection& projection, const Shading& shading,
                              const std::stop_token& stop) {
    if (stop.stop_requested())
        throw Cancelled();
    const std::lock_guard lock(m_mutex);
    if (++m_drawn == 2) // a camera that has moved once will move again
        prepareToDrawAgain(*m_stream);
    std::optional<DeviceFrame> frame;
    try {
        frame = drawFrame(projection, shading);
    } catch (const DeviceMemoryShort&) { // frames have precedence: frees acceleration structures for good
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

DeviceFrame DeviceScene::drawFrame(const Projection& projection, const Shading& shading) {
    const StreamView on = *m_stream;
    const bool fits = m_frames && m_frames->image().width == projection.width &&
                      m_frames->image().height == projection.height;
    if (!fits) {
        m_frames.reset();
        m_frames = std::make_unique<cuda::RasterGraph>(m_scene, projection.width, projection.height,
                                                       cuda::RasterGraph::Output::image, kTuning, on);
    }
    m_frames->launch(projection, shading, on);
    // copied, since the next frame reuses the graph's buffers
    return DeviceFrame{
        {projection.width, projection.height, m_frames->visibility().pixels.copyTo(MemorySpace::device, on)},
        {projection.width, projection.height, m_frames->image().pixels.copyTo(MemorySpace::device, on)},
        m_frames->stats(on)}; // waits for the frame
}

} // namespace scanloupe
