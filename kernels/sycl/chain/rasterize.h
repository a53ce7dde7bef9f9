#pragma once
// Rasterizes points, voxels and triangles for SYCL into a visibility buffer, by 64-bit atomic maxima.
#include "kernels/core/cost.h"
#include "kernels/raster/core/raster_checks.h"
#include "kernels/raster/points/point_square.h"
#include "kernels/raster/triangles/triangle_clip.h"
#include "kernels/raster/triangles/triangle_setup.h"
#include "kernels/raster/voxels/voxel_box.h"
#include "kernels/sycl/chain/row_queue.h"

#include <cstdint>

namespace scanloupe::sycl_chain {

/// Calls `take(x, y, depth value)` for the covered pixels of rows [firstRow, lastRow] of a triangle.
template <class Take>
HD void coverRows(const TriangleSetup& setup, int firstRow, int lastRow, Take&& take) {
    if (isNarrow(setup))
        coverTriangle<std::int32_t>(setup, firstRow, lastRow, take);
    else
        coverTriangle<std::int64_t>(setup, firstRow, lastRow, take);
}

/// Draws the triangles of a mesh, and adds the number of those with a coordinate that is not finite to
/// `rejected`.
/// @note Synchronizes. @throws KernelError for a missing vertex
template <class Q>
void drawTriangles(Q& q, const RasterTarget<Q>& target, const RasterScene& scene, std::uint64_t* rejected) {
    struct Queued {
        TriangleSetup setup;
        PixelBox box;
        std::uint32_t id;
    };
    const TriangleMesh& mesh = *scene.mesh;
    const std::size_t vertices = mesh.vertexCount(), triangles = mesh.triangleCount();
    const Reachable<Vec3f, Q> positionsThere(q, mesh.positions.data(), vertices);
    const Reachable<std::uint32_t, Q> indicesThere(q, mesh.indices.data(), 3 * triangles);
    const DeviceArray<ScreenVertex, Q> screenVertices(q, vertices);
    // complement of the index of the first triangle with a missing vertex; 0: none
    const DeviceArray<std::uint64_t, Q> missing(q, 1);
    const RowQueue<Queued, Q> large(q);
    const Vec3f* const positions = positionsThere.data();
    const std::uint32_t* const indices = indicesThere.data();
    ScreenVertex* const screen = screenVertices.data();
    std::uint64_t* const lacks = missing.data();
    const auto queue = large.view();
    const bool backFaces = scene.backFaces;
    missing.clear();
    q.forEach(vertices, [=](std::size_t v) { screen[v] = projectVertex(target.view, positions[v]); });
    q.forEach(triangles, [=](std::size_t triangle) {
        const std::uint32_t* const v = indices + 3 * triangle;
        if (v[0] >= vertices || v[1] >= vertices || v[2] >= vertices) {
            Q::max(lacks, ~std::uint64_t(triangle));
            return;
        }
        const std::uint32_t id = primitiveId(PrimitiveKind::triangle, std::uint32_t(triangle));
        const auto drawProjected = [&](const ScreenVertex& a, const ScreenVertex& b, const ScreenVertex& c) {
            Queued entry{{}, {}, id};
            if (!setupTriangle(a, b, c, target.view.width, target.view.height, backFaces, entry.setup))
                return;
            entry.box = entry.setup.box;
            if (entry.box.count() > kQueuedPixels && queue.push(entry))
                return;
            coverRows(entry.setup, entry.box.minY, entry.box.maxY, [&](int x, int y, float depth) {
                target.draw(x, y, fragment(depthKey(depth, target.view.orthographic), id));
            });
        };
        const ScreenVertex corners[3] = {screen[v[0]], screen[v[1]], screen[v[2]]};
        const unsigned states = corners[0].state | corners[1].state | corners[2].state;
        if (states == ScreenVertex::drawable)
            return drawProjected(corners[0], corners[1], corners[2]);
        if (states & ScreenVertex::notFinite) {
            Q::add(rejected, std::uint64_t{1});
            return;
        }
        const Vec3f places[3] = {positions[v[0]], positions[v[1]], positions[v[2]]};
        if (isClearlyOutside(target.view, places))
            return;
        ScreenVertex fan[kClipVertices];
        const int count = clipTriangle(target.view, places, corners, fan);
        for (int i = 2; i < count; ++i)
            drawProjected(fan[0], fan[i - 1], fan[i]);
    });
    if (const std::uint64_t lacking = missing.read(0); lacking != 0)
        failMissingVertex(~lacking);
    q.throwIfStopped();
    large.drawRows([=](const Queued& entry, int y) {
        coverRows(entry.setup, y, y, [&](int x, int row, float depth) {
            target.draw(x, row, fragment(depthKey(depth, target.view.orthographic), entry.id));
        });
    });
}

/// Draws the voxels of a grid. @note Synchronizes.
template <class Q>
void drawVoxels(Q& q, const RasterTarget<Q>& target, const RasterScene& scene) {
    struct Queued {
        VoxelBox voxel;
        PixelBox box;
        std::uint32_t nearest; ///< upper bound of the voxel's depth keys
        std::uint32_t id;
    };
    const std::size_t voxels = scene.voxels->size();
    const Reachable<std::uint64_t, Q> keysThere(q, scene.voxels->keys.data(), voxels);
    const RowQueue<Queued, Q> large(q);
    const auto queue = large.view();
    const std::uint64_t* const keys = keysThere.data();
    const GridShape shape = scene.voxels->shape;
    const float scale = scene.voxelScale;
    // Ray-tests the box at every pixel, unless the pixel shows something nearer than any part of the box.
    const auto cover = [=](const auto& box, const Queued& entry, int firstRow, int lastRow) {
        for (int y = firstRow; y <= lastRow; ++y)
            for (int x = entry.box.minX; x <= entry.box.maxX; ++x) {
                if (target.keyAt(x, y) > entry.nearest)
                    continue;
                const BoxHit hit = box.hit(pixelRay(target.view, x, y));
                if (hit.depth > 0)
                    target.draw(x, y, fragment(depthKey(hit.depth, target.view.orthographic), entry.id));
            }
    };
    const auto coverEntry = [=](const Queued& entry, int firstRow, int lastRow) {
        if (target.view.orthographic)
            cover(OrthographicBox(target.view, entry.voxel), entry, firstRow, lastRow);
        else
            cover(PerspectiveBox(target.view, entry.voxel), entry, firstRow, lastRow);
    };
    q.forEach(voxels, [=](std::size_t i) {
        const VoxelBox voxel = voxelBox(target.view, shape, scale, shape.cell(keys[i]));
        const BoxBounds bounds = boundBox(target.view, voxel);
        if (!bounds.visible)
            return;
        const bool orthographic = target.view.orthographic;
        const Queued entry{voxel, boxPixels(target.view, bounds), depthKey(bounds.nearest, orthographic),
                           primitiveId(PrimitiveKind::voxel, std::uint32_t(i))};
        if (entry.box.empty())
            return;
        if (bounds.tiny)
            target.draw(entry.box.minX, entry.box.minY,
                        fragment(depthKey(bounds.centre, orthographic), entry.id));
        else if (entry.box.count() <= kQueuedPixels || !queue.push(entry))
            coverEntry(entry, entry.box.minY, entry.box.maxY);
    });
    large.drawRows([=](const Queued& entry, int y) { coverEntry(entry, y, y); });
}

/// Calls `take(point, screen vertex, pixels)` for each drawable point, and `reject(point)` for each point
/// that is not finite. Asynchronous.
template <class Q, class Take, class Reject>
void forEachPoint(Q& q, const RasterView& view, const RasterScene& scene, const Vec3f* points, Take take,
                  Reject reject) {
    const float size = scene.pointSize, extent = scene.pointExtent;
    q.forEach(scene.points.size(), [=](std::size_t i) {
        const ScreenVertex v = projectVertex(view, points[i]);
        if (v.state == ScreenVertex::notFinite)
            reject(i);
        if (v.state == ScreenVertex::drawable)
            take(std::uint32_t(i), v,
                 pointPixels(v, pointEdge(size, extent, v, view), view.width, view.height));
    });
}

/// Draws points as squares, and adds the number of those with a coordinate that is not finite to `rejected`.
/// @note Synchronizes.
template <class Q>
void drawPoints(Q& q, const RasterTarget<Q>& target, const RasterScene& scene, std::uint64_t* rejected) {
    struct Queued {
        PixelBox box;
        std::uint64_t value;
    };
    const Reachable<Vec3f, Q> points(q, scene.points);
    const RowQueue<Queued, Q> large(q);
    const auto queue = large.view();
    const auto cover = [=](const Queued& entry, int firstRow, int lastRow) {
        for (int y = firstRow; y <= lastRow; ++y)
            for (int x = entry.box.minX; x <= entry.box.maxX; ++x)
                target.draw(x, y, entry.value);
    };
    forEachPoint(
        q, target.view, scene, points.data(),
        [=](std::uint32_t point, const ScreenVertex& v, const PixelBox& box) {
            const Queued entry{box, fragment(depthKey(v.depth, target.view.orthographic),
                                             primitiveId(PrimitiveKind::point, point))};
            if (!box.empty() && (box.count() <= kQueuedPixels || !queue.push(entry)))
                cover(entry, box.minY, box.maxY);
        },
        [=](std::size_t) { Q::add(rejected, std::uint64_t{1}); });
    large.drawRows([=](const Queued& entry, int y) { cover(entry, y, y); });
}

/// Draws the scene into a new visibility buffer, identical to the result of cpu::rasterize. @note
/// Synchronizes.
/// @throws as cpu::rasterize; SyclFailure
template <class Q>
VisibilityBuffer rasterize(Q& q, const RasterScene& scene, const Projection& projection, RasterStats& stats) {
    const WallTimer timer;
    requireDrawable(scene);
    VisibilityBuffer buffer;
    buffer.width = projection.width;
    buffer.height = projection.height;
    const std::size_t count = std::size_t(buffer.width) * std::size_t(buffer.height);
    buffer.pixels = q.template shared<std::uint64_t>(count);
    std::uint64_t* const pixels = buffer.pixels.data();
    const DeviceArray<std::uint64_t, Q> counts(q, 2); // numbers of rejected primitives and of drawn pixels
    std::uint64_t* const counted = counts.data();
    counts.clear();
    q.clear(pixels, count * sizeof(std::uint64_t));
    const RasterTarget<Q> target{pixels, rasterView(projection)};
    if (scene.mesh)
        drawTriangles(q, target, scene, counted);
    stats = {};
    if (scene.voxels) {
        if (isFinite(scene.voxels->shape.origin) && isFinite(scene.voxels->shape.voxelSize))
            drawVoxels(q, target, scene);
        else
            stats.rejectedNotFinite += scene.voxels->size();
    }
    q.throwIfStopped();
    if (!scene.points.empty())
        drawPoints(q, target, scene, counted);
    constexpr std::size_t chunk = 256;
    q.forEach((count + chunk - 1) / chunk, [=](std::size_t c) {
        const std::size_t end = count < (c + 1) * chunk ? count : (c + 1) * chunk;
        std::uint64_t drawn = 0;
        for (std::size_t i = c * chunk; i < end; ++i)
            drawn += pixels[i] != 0 ? 1 : 0;
        Q::add(counted + 1, drawn);
    });
    stats.rejectedNotFinite += counts.read(0);
    stats.drawnPixels = counts.read(1);
    q.throwIfStopped();
    stats.cost.wallMs = timer.elapsedMs();
    stats.cost.bytes = buffer.pixels.bytes();
    stats.cost.bySycl = true;
    return buffer;
}

} // namespace scanloupe::sycl_chain
