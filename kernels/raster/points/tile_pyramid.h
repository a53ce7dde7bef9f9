#pragma once
// Divides a picture into a pyramid of tiles, so that a large square is drawn as a few tiles instead of all of
// its pixels.
#include "kernels/raster/core/raster_element.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace scanloupe::cpu {

/// Four levels of square tiles over a picture, 4, 16, 64 and 256 pixels wide; level 0 is the finest.
class TilePyramid {
public:
    static constexpr int kLevels = 4;

    TilePyramid(int width, int height) : m_width(width), m_height(height) {
        std::size_t first = 0;
        for (int level = 0; level < kLevels; ++level) {
            const auto l = static_cast<std::size_t>(level);
            m_first[l] = first;
            m_across[l] = ((width - 1) >> shift(level)) + 1;
            m_down[l] = ((height - 1) >> shift(level)) + 1;
            first += static_cast<std::size_t>(m_across[l]) * static_cast<std::size_t>(m_down[l]);
        }
        m_tiles = first;
    }

    int width() const { return m_width; }
    int height() const { return m_height; }
    int across(int level) const { return m_across[static_cast<std::size_t>(level)]; }
    int down(int level) const { return m_down[static_cast<std::size_t>(level)]; }
    std::size_t tiles() const { return m_tiles; } ///< number of tiles of all levels
    /// Returns the number of a tile, in [0, tiles()).
    std::size_t index(int level, int x, int y) const {
        return m_first[static_cast<std::size_t>(level)] +
               static_cast<std::size_t>(y) * static_cast<std::size_t>(across(level)) +
               static_cast<std::size_t>(x);
    }
    /// Returns the pixels of a tile.
    PixelBox pixels(int level, int x, int y) const {
        const int low = shift(level);
        return {x << low, y << low, std::min(((x + 1) << low) - 1, m_width - 1),
                std::min(((y + 1) << low) - 1, m_height - 1)};
    }

    /// Descends from the coarsest tiles that overlap `box`.
    /// @param tile called as `tile(index, whole)`; returns whether to descend below the tile. `whole` is true
    /// if the tile is completely in the box
    /// @param pixel called as `pixel(x, y)` for the pixels of the box that are reached
    template <class Tile, class Pixel>
    void descend(const PixelBox& box, Tile&& tile, Pixel&& pixel) const {
        descend(kLevels - 1, box, box, tile, pixel);
    }

private:
    static constexpr int shift(int level) { return 2 * (level + 1); }

    /// Descends from the tiles of a level that overlap `part`, which is within one tile of the next coarser
    /// level.
    template <class Tile, class Pixel>
    void descend(int level, const PixelBox& part, const PixelBox& box, Tile& tile, Pixel& pixel) const {
        for (int y = part.minY >> shift(level); y <= part.maxY >> shift(level); ++y) {
            for (int x = part.minX >> shift(level); x <= part.maxX >> shift(level); ++x) {
                const PixelBox all = pixels(level, x, y);
                const PixelBox overlap{std::max(all.minX, box.minX), std::max(all.minY, box.minY),
                                       std::min(all.maxX, box.maxX), std::min(all.maxY, box.maxY)};
                const bool whole = overlap.minX == all.minX && overlap.minY == all.minY &&
                                   overlap.maxX == all.maxX && overlap.maxY == all.maxY;
                if (!tile(index(level, x, y), whole))
                    continue;
                if (level > 0) {
                    descend(level - 1, overlap, box, tile, pixel);
                    continue;
                }
                for (int py = overlap.minY; py <= overlap.maxY; ++py)
                    for (int px = overlap.minX; px <= overlap.maxX; ++px)
                        pixel(px, py);
            }
        }
    }

    int m_width, m_height;
    std::array<std::size_t, kLevels> m_first{};
    std::array<int, kLevels> m_across{}, m_down{};
    std::size_t m_tiles = 0;
};

} // namespace scanloupe::cpu
