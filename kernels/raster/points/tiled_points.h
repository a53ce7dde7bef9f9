#pragma once
// Draws and averages points that are many pixels large, tile by tile: a square takes one step per tile that
// it covers completely and one per pixel along its border, instead of up to a million pixels. The picture is
// the same.
#include "kernels/raster/core/raster_target.h"
#include "kernels/raster/points/point_average.h"
#include "kernels/raster/points/tile_pyramid.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe::cpu {

/// Number of pixels above which a square is drawn by tiles.
inline constexpr std::int64_t kTiledPixels = 256;

/// Returns whether points of a scene may have more than kTiledPixels.
inline bool mayHaveTiledPoints(const RasterScene& scene) {
    return scene.pointExtent > 0 || scene.pointSize * scene.pointSize > static_cast<float>(kTiledPixels);
}

/// A picture into which squares of uniform value are drawn. A tile stores a lower bound of its pixels'
/// values, so that occluded squares are rejected there.
class TiledTarget {
public:
    explicit TiledTarget(const RasterTarget& target)
        : m_target(target), m_pyramid(target.view.width, target.view.height), m_least(m_pyramid.tiles()) {}

    /// Draws a square. Thread-safe. @param box its pixels: not empty, and in the picture
    void draw(const PixelBox& box, std::uint64_t value);
    /// Writes the values of tiles to their pixels. Must be called once, after drawing. @throws Cancelled
    void flushToPixels(const std::stop_token& stop);

private:
    RasterTarget m_target;
    TilePyramid m_pyramid;
    std::vector<std::uint64_t> m_least; ///< [tiles] lower bound of the values of each tile's pixels
};

/// Sums of the colours of the points that are averaged in each pixel. A colour that is averaged in all pixels
/// of a tile is added only to the sum of the tile.
class TiledSums {
public:
    /// @param visibility the picture with the nearest points @throws Cancelled
    TiledSums(const VisibilityBuffer& visibility, bool orthographic, const std::stop_token& stop);

    /// Adds a colour to those pixels of `box` in which a point of this depth value is averaged. Thread-safe.
    /// @param sums sums of the pixels
    /// @param addTo adds the colour to a given sum
    template <class Add>
    void add(const PixelBox& box, float depth, PointSums* sums, Add&& addTo) {
        const auto isIn = [&](std::uint64_t pixel) { return isAveraged(depth, pixel, m_orthographic); };
        m_pyramid.descend(
            box,
            [&](std::size_t tile, bool whole) {
                const Shown& shown = m_shown[tile];
                if (shown.nearest == 0 || !isIn(shown.farthest))
                    return false;
                const bool all = whole && shown.onlyPoints && isIn(shown.nearest);
                if (all)
                    addTo(m_sums[tile]);
                return !all;
            },
            [&](int x, int y) {
                const std::size_t at = pixelIndex(x, y);
                if (isIn(m_visibility.pixels[at]))
                    addTo(sums[at]);
            });
    }
    /// Adds the sums of tiles to the sums of their pixels. Must be called once, after adding. @throws
    /// Cancelled
    void flushToPixels(PointSums* sums, const std::stop_token& stop) const;

private:
    /// The nearest and the farthest depth value of the points that a tile's pixels show; 0 without points.
    struct Shown {
        std::uint64_t nearest = 0, farthest = 0;
        bool onlyPoints = true;
        void merge(const Shown& other);
    };
    Shown shownBy(std::uint64_t pixel) const;
    std::size_t pixelIndex(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(m_visibility.width) +
               static_cast<std::size_t>(x);
    }

    const VisibilityBuffer& m_visibility;
    bool m_orthographic;
    TilePyramid m_pyramid;
    std::vector<Shown> m_shown;    ///< [tiles] depth values that each tile shows
    std::vector<PointSums> m_sums; ///< [tiles] sums of each tile
};

} // namespace scanloupe::cpu
