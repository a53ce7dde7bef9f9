#include "engine/pipeline/device_scene.h"

#include "kernels/voxelize/points_in_voxels.h"

namespace scanloupe {

namespace {

/// Points from which on batches are made of those that are drawn again. On one H200, of 2 pixels at 1080p:
/// 10 million in rows of a scan take 0.21 ms, and 0.24 with batches; 100 million 1.33, and 0.85.
constexpr std::size_t kBatchedPoints = std::size_t{1} << 24;

template <class T>
Buffer<T> onDevice(const T* values, std::size_t count, StreamView stream) {
    auto buffer = Buffer<T>::in(MemorySpace::device, count, stream);
    detail::copyBytes(buffer.data(), MemorySpace::device, values, MemorySpace::host, buffer.bytes(), stream);
    return buffer;
}

/// Triangles from where on clusters pay: by the raster benchmark a frame is as long without at 3 M; at 10 M
/// building them takes what 60 frames save, at 100 M what 16 do.
constexpr std::size_t kFewestClustered = 8'000'000;

} // namespace

bool liesOnDevice(const Snapshot& of, const Recipe& look, const DevicePlace& place) {
    if (!place.stream || !canColourOnDevice(look))
        return false;
    if (of.volume)
        return of.mesh.onDevice();
    if (!of.voxels.onDevice()) // colours are theirs
        return false;
    return look.show == PictureContent::mesh     ? of.mesh.onDevice()
           : look.show == PictureContent::points ? place.points != nullptr
                                                 : true;
}

DeviceScene::DeviceScene(const Snapshot& of, const Recipe& look, const DevicePlace& place,
                         const RasterScene& style, const std::stop_token& stop)
    : m_stream(place.stream), m_scene(style) {
    const StreamView on = *m_stream;
    // of the points on the host only the channels' names and offsets are looked at
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
        m_points = cuda::pointsInVoxels(place.points->positions, of.voxels.device().pointVoxel, on);
        m_scene.points = {m_points.data(), m_points.size()};
        m_colours = colourPoints(look, source, stop);
        m_scene.pointColour = m_colours.colouring();
    }
    on.synchronize(); // frames may be asked for on any thread
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

DeviceScene::DeviceScene(const RasterScene& host, const Resident<TriangleMesh>& mesh,
                         const Resident<VoxelGrid>& voxels, std::shared_ptr<const Stream> stream)
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
    on.synchronize(); // what was copied may go now
}

/// What is drawn again will be many times more: points in groups, triangles in clusters. That takes 1 or 17
/// bytes a point, or 12 a triangle; the frames' own 8 bytes a vertex go. Without them all is drawn as before.
void DeviceScene::prepareToDrawAgain(StreamView on) {
    const bool batched = m_scene.points.size() >= kBatchedPoints,
               clustered = m_scene.mesh && m_scene.mesh->triangleCount() >= kFewestClustered;
    if (!batched && !clustered)
        return;
    m_frames.reset();
    try {
        if (batched) {
            m_batches = cuda::batchPoints(m_scene.points, BatchOrder::given, on);
            if (!m_batches->pays())
                m_batches = cuda::batchPoints(m_scene.points, BatchOrder::curve, on);
            m_scene.batches = &*m_batches;
        }
        if (clustered) {
            m_clusters = cuda::clusterTriangles(*m_scene.mesh, on);
            if (m_clusters->loose <= m_clusters->heads.size() / 4)
                m_scene.clusters = &*m_clusters;
            else // neighbours in the list aren't in the mesh
                m_clusters.reset();
        }
    } catch (const DeviceMemoryShort&) {
        drawWithoutPreparation();
    }
}

void DeviceScene::drawWithoutPreparation() {
    m_scene.batches = nullptr;
    m_scene.clusters = nullptr;
    m_batches.reset();
    m_clusters.reset();
}

void DeviceScene::makeFrames(const Projection& projection, StreamView on) {
    const auto make = [&] {
        m_frames =
            std::make_unique<cuda::RasterGraph>(m_scene, projection.width, projection.height,
                                                cuda::RasterGraph::Output::image, cuda::RasterTuning{}, on);
    };
    m_frames.reset();
    try {
        make();
    } catch (const DeviceMemoryShort&) {
        if (!m_scene.batches && !m_scene.clusters)
            throw;
        drawWithoutPreparation();
        make();
    }
}

DeviceFrame DeviceScene::draw(const Projection& projection, const Shading& shading,
                              const std::stop_token& stop) {
    if (stop.stop_requested())
        throw Cancelled();
    const std::lock_guard lock(m_mutex);
    const StreamView on = *m_stream;
    if (++m_drawn == 2) // a camera that has moved once moves again
        prepareToDrawAgain(on);
    const bool fits = m_frames && m_frames->image().width == projection.width &&
                      m_frames->image().height == projection.height;
    if (!fits)
        makeFrames(projection, on);
    m_frames->launch(projection, shading, on);
    // the graph's own buffers are those of the next frame
    DeviceFrame frame{
        {projection.width, projection.height, m_frames->visibility().pixels.copyTo(MemorySpace::device, on)},
        {projection.width, projection.height, m_frames->image().pixels.copyTo(MemorySpace::device, on)},
        m_frames->stats(on)}; // which waits for all of it
    if (stop.stop_requested())
        throw Cancelled();
    return frame;
}

} // namespace scanloupe
