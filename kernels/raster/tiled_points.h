#pragma once
// Draws and averages points that are many pixels large, tile by tile: one step for each tile that a square
// covers wholly and for each pixel along its border, in place of up to a million pixels. The picture is the
// same.
#include "kernels/raster/point_average.h"
#include "kernels/raster/raster_cpu.h"
#include "kernels/raster/tile_pyramid.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe::cpu {

/// Squares with more pixels go by tiles.
inline constexpr std::int64_t kTiledPixels = 256;

/// Whether points of a scene may be as large as that.
inline bool mayHaveTiledPoints(const RasterScene& scene) {
    return scene.pointExtent > 0 || scene.pointSize * scene.pointSize > static_cast<float>(kTiledPixels);
}

/// A picture that squares are drawn into, each of one value. A tile keeps the largest value that all of its
/// pixels have at least, so that what lies behind ends there.
class TiledTarget {
public:
    explicit TiledTarget(const RasterTarget& target)
        : m_target(target), m_pyramid(target.view.width, target.view.height), m_least(m_pyramid.tiles()) {}

    /// Any thread. `box` is not empty and lies in the picture.
    void draw(const PixelBox& box, std::uint64_t value);
    /// Gives the pixels what their tiles have; once, after all was drawn. @throws Cancelled
    void settle(const std::stop_token& stop);

private:
    RasterTarget m_target;
    TilePyramid m_pyramid;
    std::vector<std::uint64_t> m_least; ///< [tiles]
};

/// Sums of colours of the squares that are averaged in each pixel. A tile has those of squares that are
/// averaged in all of its pixels.
class TiledSums {
public:
    /// Of the picture that shows the nearest points. @throws Cancelled
    TiledSums(const VisibilityBuffer& visibility, bool orthographic, const std::stop_token& stop);

    /// Adds a colour to the pixels of `box` that a point of this depth value is averaged in; `addTo` adds it
    /// to one sum, any thread, and `sums` are those of the pixels.
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
    /// Adds to the pixels' sums what their tiles have; once, after all was added. @throws Cancelled
    void settle(PointSums* sums, const std::stop_token& stop) const;

private:
    /// What the pixels of a tile show of points: the values of the nearest and the farthest; 0 where there is
    /// none.
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
    std::vector<Shown> m_shown;    ///< [tiles]
    std::vector<PointSums> m_sums; ///< [tiles]
};

} // namespace scanloupe::cpu
