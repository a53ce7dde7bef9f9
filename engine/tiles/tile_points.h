#pragma once
// Declares the points of tiles that wait to be computed: in memory, or packed in files when they exceed the
// memory.
#include "engine/io/common/write/own_files.h"
#include "engine/tiles/survey/survey_source.h"
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

/// Counts of a survey's points.
struct SurveyPointCounts {
    std::uint64_t read = 0, outside = 0, notFinite = 0;
    std::uint64_t strayed = 0; ///< outside of the bounds stated in their file
};

/// Sorts points into the tiles that need them; a point near the border of a tile is added to its neighbours,
/// too.
class TilePoints {
public:
    /// @param wanted [tiles] whether each is to be computed @param scratch prefix of the ScratchFolder for
    /// packed points, created on first use
    TilePoints(const TilePlan& plan, std::vector<char> wanted, std::filesystem::path scratch);

    /// Adds points of a part that are inside `box`, file's frame. @throws Cancelled; Fault when the
    /// attributes differ from the plan's
    void add(const SurveyPiece& piece, const Bounds& box, const std::stop_token& stop);
    /// Memory of the points.
    std::uint64_t bytes() const { return m_bytes; }
    /// Points of a tile that are in memory.
    std::uint64_t pointsInMemory(std::size_t tile);
    /// Packs points of the fullest tiles into files until the others take at most `most` bytes.
    /// @throws EngineError when the disk is full; Cancelled
    void pack(std::uint64_t most, const std::stop_token& stop);
    /// Returns the points of a tile and removes them from here. @throws EngineError; Cancelled
    TileCloud take(std::size_t tile, const std::stop_token& stop);

    SurveyPointCounts counts() const;
    std::uint64_t packedBytes() const { return m_packedBytes; } ///< total written to files

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
    /// Offsets of the columns in a block with `points` points, [A].
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
