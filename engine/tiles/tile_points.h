#pragma once
// Declares the points of tiles that wait to be computed: in memory, or packed in files while there are more
// than memory holds.
#include "engine/io/common/write/own_files.h"
#include "engine/tiles/survey_source.h"
#include "engine/tiles/tile_cloud.h"
#include "engine/tiles/tile_plan.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// Numbers of points of a survey by what became of them.
struct SurveyPointCounts {
    std::uint64_t read = 0, outside = 0, notFinite = 0;
    std::uint64_t strayed = 0; ///< outside of the box that their file gives
};

/// Sorts points into the tiles that need them; a point near the border of a tile goes to its neighbours, too.
class TilePoints {
public:
    /// @param wanted [tiles] of those that are computed; @param scratch prefix of the ScratchFolder in which
    /// points are packed, which is made when needed
    TilePoints(const TilePlan& plan, std::vector<char> wanted, std::filesystem::path scratch);

    /// Adds points of a part that lie within its box, file's frame. @throws Cancelled; Fault for other
    /// values than the plan has
    void add(const SurveyPiece& piece, const Bounds& box, const std::stop_token& stop);
    /// Memory of the points.
    std::uint64_t bytes() const { return m_bytes; }
    /// Packs points of the fullest tiles into files until the others take no more than so many bytes.
    /// @throws EngineError when the disk is full; Cancelled
    void pack(std::uint64_t most, const std::stop_token& stop);
    /// Hands over the points of a tile. @throws EngineError; Cancelled
    TileCloud take(std::size_t tile, const std::stop_token& stop);

    SurveyPointCounts counts() const;
    std::uint64_t packedBytes() const { return m_packedBytes; } ///< of all that was written to files

private:
    struct Block {
        std::vector<Vec3f> positions;
        std::vector<std::byte> values; ///< column by column
    };
    /// The points of a tile. Blocks come from different threads, in any order: results don't depend on it.
    struct Tile {
        std::mutex mutex;
        std::vector<Block> blocks;
        std::uint64_t points = 0; ///< in blocks
        std::uint64_t packed = 0; ///< in its file
    };
    std::filesystem::path fileOf(std::size_t tile) const;
    std::uint64_t bytesOf(std::uint64_t points) const;
    /// Where the values of `points` points begin in a block, [A].
    std::vector<std::size_t> columnsOf(std::size_t points) const;
    void packTile(std::size_t tile, const std::stop_token& stop);

    const TilePlan& m_plan;
    std::vector<char> m_wanted;
    std::filesystem::path m_scratchPrefix;
    std::optional<ScratchFolder> m_scratch; ///< once points were packed
    std::vector<Tile> m_tiles;
    std::atomic<std::uint64_t> m_bytes = 0, m_packedBytes = 0;
    std::atomic<std::uint64_t> m_read = 0, m_outside = 0, m_notFinite = 0, m_strayed = 0;
};

} // namespace scanloupe
