// Builds geometry from results on the device without a copy to the host: colours are computed on the device,
// and everything else is used as the results store it. It needs no spatial order of boxes, no pages of
// vertices and no bounds of chunks: those serve OpenGL in software, and would require sorting on the device
// or copies from it.
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "gui/views/geometry/colour_look.h"
#include "gui/views/geometry/view_geometry.h"
#include "kernels/core/stream_sync_guard.h"

#include <algorithm>
#include <optional>

namespace scanloupe::gui {

namespace {

struct Extent {
    Vec3f low, high;
};

/// Conservative bounding box of the voxels and the surface, from sizes that the host knows.
std::optional<Extent> extentOf(const Snapshot& snapshot) {
    std::optional<Extent> extent;
    const auto add = [&](Vec3f low, Vec3f high) {
        extent = extent ? Extent{scanloupe::min(low, extent->low), scanloupe::max(high, extent->high)}
                        : Extent{low, high};
    };
    if (snapshot.field) {
        const LatticeShape& lattice = snapshot.field->lattice;
        add(lattice.origin, lattice.position(lattice.dims));
    }
    if (snapshot.shownVoxels) {
        const GridShape& shape = snapshot.shownVoxels->shape;
        add(shape.origin, shape.origin + shape.dims.as<float>() * shape.voxelSize);
    }
    return extent;
}

/// Divides into chunks small enough to be drawn within a time slice.
std::vector<DrawChunk> chunksOf(std::uint64_t count, std::uint32_t size, const Extent& extent) {
    std::vector<DrawChunk> chunks;
    for (std::uint64_t first = 0; first < count; first += size)
        chunks.push_back({static_cast<std::uint32_t>(first),
                          static_cast<std::uint32_t>(std::min<std::uint64_t>(size, count - first)),
                          extent.low, extent.high});
    return chunks;
}

ColourSource deviceSource(const Snapshot& snapshot, StreamView stream) {
    ColourSource source =
        colourSource(snapshot, nullptr, snapshot.voxels ? &snapshot.voxels.device() : nullptr);
    source.device = stream;
    return source;
}

/// The recipe of `snapshot`, with `show` as its content.
Recipe lookOf(const Snapshot& snapshot, PictureContent show) {
    Recipe look = snapshot.resolved;
    look.show = show;
    return look;
}

} // namespace

std::shared_ptr<const VoxelGeometry> deviceVoxelGeometry(const Snapshot& snapshot,
                                                         const std::shared_ptr<const Stream>& stream,
                                                         const std::stop_token& stop) {
    constexpr std::uint32_t kChunkBoxes = 8192;
    const Recipe look = lookOf(snapshot, PictureContent::voxels);
    const std::optional<Extent> extent = extentOf(snapshot);
    if (!extent || !snapshot.shownVoxels.onDevice() || snapshot.shownVoxels->size() == 0 ||
        snapshot.shownVoxels->size() > kMaxDeviceBoxes || !canColourOnDevice(look))
        return nullptr;
    const StreamSyncGuard wait(*stream);
    auto content = std::make_unique<DeviceContent>();
    content->stream = stream;
    content->voxels = snapshot.shownVoxels;
    ColourSource source = shownVoxelSource(snapshot, &snapshot.shownVoxels.device());
    source.device = *stream;
    content->colours = colourVoxels(look, source, stop);
    stream->view().synchronize(); // the GUI thread continues with the result
    auto geometry = std::make_shared<VoxelGeometry>();
    geometry->origin = snapshot.origin();
    geometry->look = colourLook(content->colours);
    geometry->boxLevels.push_back({{}, snapshot.shownVoxels->shape.voxelSize});
    geometry->levels.push_back(chunksOf(snapshot.shownVoxels->size(), kChunkBoxes, *extent));
    geometry->device = std::move(content);
    return geometry;
}

std::shared_ptr<const MeshGeometry> deviceMeshGeometry(const Snapshot& snapshot,
                                                       const std::shared_ptr<const Stream>& stream,
                                                       const std::stop_token& stop) {
    constexpr std::uint32_t kChunkTriangles = 65536;
    const Recipe look = lookOf(snapshot, PictureContent::mesh);
    const std::optional<Extent> extent = extentOf(snapshot);
    // the vertices of the mesh take the colours of the voxels
    const bool coloursThere = snapshot.volume || snapshot.voxels.onDevice();
    if (!extent || !coloursThere || !snapshot.mesh.onDevice() || snapshot.mesh->triangleCount() == 0 ||
        snapshot.mesh->triangleCount() > kMaxDeviceTriangles)
        return nullptr;
    const StreamSyncGuard wait(*stream);
    auto content = std::make_unique<DeviceContent>();
    content->stream = stream;
    content->mesh = snapshot.mesh;
    content->colours = colourMesh(look, deviceSource(snapshot, *stream), snapshot.mesh.device(), stop);
    stream->view().synchronize();
    auto geometry = std::make_shared<MeshGeometry>();
    geometry->origin = snapshot.origin();
    geometry->look = colourLook(content->colours);
    geometry->levels.push_back(chunksOf(snapshot.mesh->triangleCount(), kChunkTriangles, *extent));
    geometry->device = std::move(content);
    return geometry;
}

} // namespace scanloupe::gui
