// Copies a scene to the device, and renders frames of it.
#include "engine/picture/device_scene.h"

#include "engine/cloud/attribute.h"
#include "engine/recipe/recipe.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/results/snapshot.h"
#include "kernels/voxelize/operators.h"

#include <utility>

namespace scanloupe {

namespace {

template <class T>
Buffer<T> onDevice(const T* values, std::size_t count, StreamView stream) {
    auto buffer = Buffer<T>::in(MemorySpace::device, count, stream);
    detail::copyBytes(buffer.data(), MemorySpace::device, values, MemorySpace::host, buffer.bytes(), stream);
    return buffer;
}

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
    ColourSource source = colourSource(of, place.points.get(), of.voxels ? &of.voxels.device() : nullptr);
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
    on.synchronize(); // frames may be rendered by other threads
    m_renderer = std::make_unique<FrameRenderer>(m_scene, on);
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
    on.synchronize(); // the sources of the copies may be freed after this
    m_renderer = std::make_unique<FrameRenderer>(m_scene, on);
}

DeviceFrame DeviceScene::draw(const Projection& projection, const Shading& shading,
                              const std::stop_token& stop) const {
    return m_renderer->draw(projection, shading, stop);
}

} // namespace scanloupe
