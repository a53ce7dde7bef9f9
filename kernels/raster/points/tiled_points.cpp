// Draws and averages points that are many pixels large, tile by tile, on the CPU.
#include "kernels/raster/points/tiled_points.h"

#include "kernels/core/parallel.h"

namespace scanloupe::cpu {

namespace {

constexpr std::size_t kRows = 4; // number of rows of the finest tiles per chunk

/// Calls each(x, y) for the finest tiles of a pyramid, on all cores.
template <class Each>
void forFinestTiles(const TilePyramid& pyramid, const std::stop_token& stop, Each&& each) {
    parallelFor(static_cast<std::size_t>(pyramid.down(0)), kRows, stop,
                [&](std::size_t begin, std::size_t end) {
                    for (auto y = static_cast<int>(begin); y < static_cast<int>(end); ++y)
                        for (int x = 0; x < pyramid.across(0); ++x)
                            each(x, y);
                });
}

template <class Each>
void forPixels(const PixelBox& box, Each&& each) {
    for (int y = box.minY; y <= box.maxY; ++y)
        for (int x = box.minX; x <= box.maxX; ++x)
            each(x, y);
}

/// Returns the index of the tile of a level that contains a finest tile (x, y).
std::size_t above(const TilePyramid& pyramid, int level, int x, int y) {
    return pyramid.index(level, x >> (2 * level), y >> (2 * level));
}

} // namespace

void TiledTarget::draw(const PixelBox& box, std::uint64_t value) {
    m_pyramid.descend(
        box,
        [&](std::size_t tile, bool whole) {
            std::atomic_ref<std::uint64_t> least(m_least[tile]);
            std::uint64_t old = least.load(std::memory_order_relaxed);
            if (!whole)
                return old < value;
            while (old < value && !least.compare_exchange_weak(old, value, std::memory_order_relaxed)) {
            }
            return false;
        },
        [&](int x, int y) { m_target.draw(x, y, value); });
}

void TiledTarget::flushToPixels(const std::stop_token& stop) {
    forFinestTiles(m_pyramid, stop, [&](int x, int y) {
        std::uint64_t least = 0;
        for (int level = 0; level < TilePyramid::kLevels; ++level)
            least = std::max(least, m_least[above(m_pyramid, level, x, y)]);
        if (least == 0)
            return;
        forPixels(m_pyramid.pixels(0, x, y), [&](int px, int py) {
            std::uint64_t& pixel = m_target.at(px, py);
            pixel = std::max(pixel, least);
        });
    });
}

void TiledSums::Shown::merge(const Shown& other) {
    onlyPoints = onlyPoints && other.onlyPoints;
    if (other.nearest == 0)
        return;
    farthest = nearest == 0 ? other.farthest : std::min(farthest, other.farthest);
    nearest = std::max(nearest, other.nearest);
}

TiledSums::Shown TiledSums::shownBy(std::uint64_t pixel) const {
    const bool isPoint =
        pixel != 0 && primitiveKind(~static_cast<std::uint32_t>(pixel)) == PrimitiveKind::point;
    return isPoint ? Shown{pixel, pixel, true} : Shown{0, 0, false};
}

TiledSums::TiledSums(const VisibilityBuffer& visibility, bool orthographic, const std::stop_token& stop)
    : m_visibility(visibility), m_orthographic(orthographic), m_pyramid(visibility.width, visibility.height),
      m_shown(m_pyramid.tiles()), m_sums(m_pyramid.tiles(), PointSums{}) {
    forFinestTiles(m_pyramid, stop, [&](int x, int y) {
        forPixels(m_pyramid.pixels(0, x, y), [&](int px, int py) {
            m_shown[m_pyramid.index(0, x, y)].merge(shownBy(m_visibility.pixels[pixelIndex(px, py)]));
        });
    });
    for (int level = 0; level + 1 < TilePyramid::kLevels; ++level)
        for (int y = 0; y < m_pyramid.down(level); ++y)
            for (int x = 0; x < m_pyramid.across(level); ++x)
                m_shown[m_pyramid.index(level + 1, x >> 2, y >> 2)].merge(
                    m_shown[m_pyramid.index(level, x, y)]);
}

void TiledSums::flushToPixels(PointSums* sums, const std::stop_token& stop) const {
    forFinestTiles(m_pyramid, stop, [&](int x, int y) {
        PointSums all{};
        for (int level = 0; level < TilePyramid::kLevels; ++level) {
            const PointSums& tile = m_sums[above(m_pyramid, level, x, y)];
            all = {all.red + tile.red, all.green + tile.green, all.blue + tile.blue, all.count + tile.count};
        }
        if (all.count == 0)
            return;
        forPixels(m_pyramid.pixels(0, x, y), [&](int px, int py) {
            PointSums& pixel = sums[pixelIndex(px, py)];
            pixel = {pixel.red + all.red, pixel.green + all.green, pixel.blue + all.blue,
                     pixel.count + all.count};
        });
    });
}

} // namespace scanloupe::cpu
