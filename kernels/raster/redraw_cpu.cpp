// Reuses the pixels of a previous picture that are still valid, and draws the others again.
#include "kernels/raster/redraw.h"

#include "kernels/core/error.h"
#include "kernels/core/parallel.h"
#include "kernels/raster/core/raster_checks.h"
#include "kernels/raster/core/raster_target.h"
#include "kernels/raster/core/rasterizer.h"
#include "kernels/raster/resolve/resolve.h"
#include "kernels/raster/triangles/triangles_cpu.h"

#include <algorithm>

namespace scanloupe::cpu {

namespace {

constexpr std::size_t kRows = 16; // number of rows per chunk

/// Maps triangle ids of the previous mesh to ids of the next mesh. Neighbouring pixels show neighbouring
/// triangles, so the last run is tried first. Not thread-safe: create one object per thread.
class TriangleIds {
public:
    explicit TriangleIds(std::span<const SharedRun> runs) : m_runs(runs) {}

    /// Looks up a triangle. @param now receives its id in the next mesh @returns false if the next mesh does
    /// not contain the triangle
    bool find(std::uint32_t triangle, std::uint32_t& now) {
        if (triangle - m_last.before >= m_last.count) {
            const auto after = std::ranges::upper_bound(m_runs, triangle, {}, &SharedRun::before);
            if (after == m_runs.begin() || triangle - (after - 1)->before >= (after - 1)->count)
                return false;
            m_last = *(after - 1);
        }
        now = triangle - m_last.before + m_last.now;
        return true;
    }

private:
    std::span<const SharedRun> m_runs;
    SharedRun m_last{0, 0, 0};
};

/// Copies the pixels that show triangles of both meshes, with their new ids, and clears the others.
/// @returns the box of the cleared pixels
PixelBox takePixels(const PreviousPicture& earlier, VisibilityBuffer& to, const std::stop_token& stop) {
    const auto width = std::size_t(to.width);
    const std::uint64_t* const before = earlier.visibility.pixels.data();
    return parallelReduce(
        std::size_t(to.height), kRows, stop, kNoPixels,
        [&](std::size_t begin, std::size_t end) {
            TriangleIds ids(earlier.triangles);
            PixelBox lost = kNoPixels;
            for (std::size_t i = begin * width; i < end * width; ++i) {
                std::uint64_t pixel = before[i];
                if (pixel != 0) {
                    const auto id = ~std::uint32_t(pixel);
                    std::uint32_t now = 0;
                    if (ids.find(primitiveIndex(id), now)) {
                        pixel =
                            fragment(std::uint32_t(pixel >> 32), primitiveId(PrimitiveKind::triangle, now));
                    } else {
                        pixel = 0;
                        const int x = int(i % width), y = int(i / width);
                        lost = around(lost, {x, y, x, y});
                    }
                }
                to.pixels[i] = pixel;
            }
            return lost;
        },
        [](const PixelBox& a, const PixelBox& b) { return around(a, b); });
}

} // namespace

RedrawnPixels rasterizeAgain(const RasterScene& scene, const Projection& projection,
                             const PreviousPicture& earlier, RasterStats& stats,
                             const std::stop_token& stop) {
    const WallTimer timer;
    requireDrawable(scene);
    if (!scene.mesh || scene.voxels || !scene.points.empty() ||
        earlier.visibility.width != projection.width || earlier.visibility.height != projection.height)
        throw Fault("a picture of another size, or of more than a mesh, was to be drawn again");
    RedrawnPixels drawn{
        {projection.width, projection.height, Buffer<std::uint64_t>::host(earlier.visibility.pixels.size())},
        {},
        {}};
    stats = {};
    const PixelBox lost = takePixels(earlier, drawn.visibility, stop);
    const RasterTarget target{drawn.visibility.pixels.data(), rasterView(projection)};
    PixelBox added = kNoPixels;
    stats.rejectedNotFinite = drawTrianglesAgain(target, scene, {earlier.triangles, lost, added}, stop);
    const PixelBox changed = around(lost, added);
    drawn.changed = changed.empty() ? changed
                                    : clipped({changed.minX - 1, changed.minY - 1, changed.maxX + 1,
                                               // eye-dome lighting of a pixel depends on neighbours at a
                                               // distance of one pixel
                                               changed.maxY + 1},
                                              projection.width, projection.height);
    stats.drawnPixels = countDrawn(drawn.visibility, stop);
    stats.cost.wallMs = timer.elapsedMs();
    stats.cost.bytes = drawn.visibility.pixels.bytes();
    return drawn;
}

void resolveAgain(RedrawnPixels& pixels, const RasterScene& scene, const Projection& projection,
                  const Shading& shading, const PreviousPicture& earlier, const std::stop_token& stop) {
    if (!earlier.sharesColours) {
        pixels.image = resolve(pixels.visibility, scene, projection, shading, stop);
        return;
    }
    const auto width = std::size_t(projection.width), height = std::size_t(projection.height);
    Image& image = pixels.image;
    image.width = projection.width;
    image.height = projection.height;
    image.pixels = Buffer<std::uint32_t>::host(width * height);
    parallelFor(height, kRows, stop, [&](std::size_t begin, std::size_t end) {
        std::copy(earlier.image.pixels.data() + begin * width, earlier.image.pixels.data() + end * width,
                  image.pixels.data() + begin * width);
    });
    if (!pixels.changed.empty())
        resolve(pixels.visibility, scene, projection, shading, pixels.changed, image, stop);
}

} // namespace scanloupe::cpu
