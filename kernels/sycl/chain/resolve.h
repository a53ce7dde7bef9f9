#pragma once
// Shades the visibility buffer into an image with SYCL, with eye-dome lighting.
#include "kernels/raster/resolve/resolve_element.h"
#include "kernels/sycl/chain/rasterize.h"

#include <cstdint>

namespace scanloupe::sycl_chain {

/// Colours in memory that kernels can access. @param by must have a map
template <class Q>
class ReachableColours {
public:
    ReachableColours(Q& q, const Colouring& by, std::size_t count)
        : m_values(q, by.values, by.values ? count : 0), m_rgba(q, by.rgba, by.rgba ? count : 0),
          m_map(q, by.map, 256), m_view(by) {
        m_view.values = m_values.data();
        m_view.rgba = m_rgba.data();
        m_view.map = m_map.data();
    }
    const Colouring& view() const { return m_view; }

private:
    Reachable<float, Q> m_values;
    Reachable<std::uint32_t, Q> m_rgba, m_map;
    Colouring m_view;
};

/// Sums the colours of the points that are averaged in each pixel, like cpu::sumPoints. @note Synchronizes.
template <class Q>
void sumPoints(Q& q, const std::uint64_t* pixels, const RasterScene& scene, const ResolveView& resolve,
               PointSums* sums) {
    struct Queued {
        PixelBox box;
        float depth;
        std::uint32_t colour;
    };
    const Reachable<Vec3f, Q> points(q, scene.points);
    const RowQueue<Queued, Q> large(q);
    const auto queue = large.view();
    const int width = resolve.view.width;
    const bool orthographic = resolve.view.orthographic;
    const Colouring colours = resolve.pointColour;
    const auto add = [=](const Queued& entry, int firstRow, int lastRow) {
        for (int y = firstRow; y <= lastRow; ++y)
            for (int x = entry.box.minX; x <= entry.box.maxX; ++x) {
                const std::size_t at = std::size_t(y) * std::size_t(width) + std::size_t(x);
                if (!isAveraged(entry.depth, pixels[at], orthographic))
                    continue;
                Q::add(&sums[at].red, std::uint64_t{channel(entry.colour, 0)});
                Q::add(&sums[at].green, std::uint64_t{channel(entry.colour, 1)});
                Q::add(&sums[at].blue, std::uint64_t{channel(entry.colour, 2)});
                Q::add(&sums[at].count, std::uint64_t{1});
            }
    };
    forEachPoint(
        q, resolve.view, scene, points.data(),
        [=](std::uint32_t point, const ScreenVertex& v, const PixelBox& box) {
            const Queued entry{box, v.depth, colourOf(colours, point)};
            if (!box.empty() && (box.count() <= kQueuedPixels || !queue.push(entry)))
                add(entry, box.minY, box.maxY);
        },
        [](std::size_t) {});
    large.drawRows([=](const Queued& entry, int y) { add(entry, y, y); });
}

/// Returns the sum of the steps from a pixel to its eight neighbours, added in the order of the CPU.
/// @param near [height, width] nearness of the pixels
HD inline float eyeDomeSteps(const float* near, int width, int height, int x, int y) {
    const float* const at = near + std::size_t(y) * std::size_t(width) + std::size_t(x);
    const float own = *at;
    const bool isInner = x > 0 && y > 0 && x < width - 1 && y < height - 1;
    const auto step = [&](int dx, int dy) {
        const int u = x + dx, v = y + dy;
        const bool isThere = isInner || (u >= 0 && v >= 0 && u < width && v < height);
        return eyeDomeStep(own, isThere ? at[dy * width + dx] : kFarthest);
    };
    return step(1, 0) + step(-1, 0) + step(0, -1) + step(0, 1) + step(1, -1) + step(-1, -1) + step(1, 1) +
           step(-1, 1);
}

/// Shades a visibility buffer into an image, identical to the result of cpu::resolve. @note Synchronizes.
/// @throws as cpu::resolve; SyclFailure
template <class Q>
Image resolve(Q& q, const VisibilityBuffer& visibility, const RasterScene& scene,
              const Projection& projection, const Shading& shading) {
    requireShadable(visibility, projection, shading);
    ResolveView view = resolveView(scene, projection, shading);
    const std::size_t count = visibility.pixels.size(), vertices = scene.mesh ? scene.mesh->vertexCount() : 0;
    const Reachable<std::uint64_t, Q> pixelsThere(q, visibility.pixels.data(), count);
    const Reachable<Vec3f, Q> positions(q, view.positions, vertices),
        normals(q, view.normals, view.normals ? vertices : 0);
    const Reachable<std::uint32_t, Q> indices(q, view.indices, 3 * std::size_t{view.triangles});
    const Reachable<std::uint64_t, Q> keys(q, view.keys, view.voxels);
    const ReachableColours<Q> pointColours(q, view.pointColour, view.points),
        voxelColours(q, view.voxelColour, view.voxels), meshColours(q, view.meshColour, vertices);
    view.positions = positions.data();
    view.normals = view.normals ? normals.data() : nullptr;
    view.indices = indices.data();
    view.keys = keys.data();
    view.pointColour = pointColours.view();
    view.voxelColour = voxelColours.view();
    view.meshColour = meshColours.view();
    const std::uint64_t* const pixels = pixelsThere.data();
    const DeviceArray<PointSums, Q> sums(q, averagesPoints(scene) ? count : 0);
    if (sums.size() > 0) {
        sums.clear();
        sumPoints(q, pixels, scene, view, sums.data());
        view.sums = sums.data();
    }
    q.throwIfStopped();
    Image image;
    image.width = projection.width;
    image.height = projection.height;
    image.pixels = q.template shared<std::uint32_t>(count);
    const DeviceArray<float, Q> nearness(q, shading.eyeDome ? count : 0);
    const DeviceArray<std::uint32_t, Q> unknown(q, 1);
    float* const near = nearness.data();
    std::uint32_t *const rgba = image.pixels.data(), *const isUnknown = unknown.data();
    unknown.clear();
    if (shading.eyeDome)
        q.forEach(count,
                  [=](std::size_t i) { near[i] = scanloupe::nearness(pixels[i], view.view.orthographic); });
    const int width = image.width, height = image.height;
    const float strength = shading.eyeDomeStrength;
    q.forEach(count, [=](std::size_t i) {
        // 32 bits, since a 64-bit division takes a GPU several times as long
        const auto pixel = std::uint32_t(i);
        const int x = int(pixel % std::uint32_t(width)), y = int(pixel / std::uint32_t(width));
        const std::uint32_t id = pixels[i] == 0 ? 0 : ~std::uint32_t(pixels[i]);
        if (id != 0 && !isInScene(view, id)) {
            Q::set(isUnknown, 1u);
            return;
        }
        std::uint32_t colour = pixelColour(view, id, x, y);
        if (near) {
            const float steps = eyeDomeSteps(near, width, height, x, y);
            if (steps > 0)
                colour = scaled(colour, eyeDomeFactor(steps, strength));
        }
        rgba[i] = colour;
    });
    if (unknown.read(0) != 0)
        failUnknownPrimitive();
    q.throwIfStopped();
    return image;
}

} // namespace scanloupe::sycl_chain
