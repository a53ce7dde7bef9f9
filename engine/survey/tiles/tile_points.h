#pragma once
// Declares the store of points that wait for their tiles to be computed: in memory, or compressed in files if
// they exceed the memory limit.
#include "engine/io/common/write/own_files.h"
#include "engine/survey/source/survey_source.h"
#include "engine/survey/tiles/tile_cloud.h"
#include "engine/survey/tiles/tile_plan.h"

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
    std::uint64_t strayed = 0; ///< number of points outside the bounds stated in their file
};

/// Sorts points into the tiles that require them. A point near the border of a tile is added to its
/// neighbours as well.
class TilePoints {
public:
    /// @param wanted [tiles] whether the tile is to be computed @param scratch prefix of the ScratchFolder
    ///     for compressed points, which is created on first use
    TilePoints(const TilePlan& plan, std::vector<char> wanted, std::filesystem::path scratch);

    /// Adds the points of a part that are inside `box` (file's frame). @throws Cancelled; Fault if the
    /// attributes differ from the plan's
    void add(const SurveyPiece& piece, const Bounds& box, const std::stop_token& stop);
    /// Memory of all points, bytes.
    std::uint64_t bytes() const { return m_bytes; }
    /// Number of a tile's points that are in memory.
    std::uint64_t pointsInMemory(std::size_t tile);
    /// Moves the points of the fullest tiles to files until the remaining ones need at most `most` bytes.
    /// @throws EngineError if the disk is full; Cancelled
    void pack(std::uint64_t most, const std::stop_token& stop);
    /// Returns the points of a tile and removes them from this store. @throws EngineError; Cancelled
    TileCloud take(std::size_t tile, const std::stop_token& stop);

    SurveyPointCounts counts() const;
    std::uint64_t packedBytes() const { return m_packedBytes; } ///< total bytes written to files

private:
    struct Block {
        std::vector<Vec3f> positions;
        std::vector<std::byte> values; ///< attribute values, column by column
    };
    /// The points of a tile. Threads add blocks in any order; results don't depend on it.
    struct Tile {
        std::mutex mutex;
        std::vector<Block> blocks;
        std::uint64_t points = 0; ///< number of points in blocks
        std::uint64_t packed = 0; ///< number of points in the tile's file
    };
    std::filesystem::path fileOf(std::size_t tile) const;
    std::uint64_t bytesOf(std::uint64_t points) const;
    /// Byte offset of each attribute's column in a block of `points` points, [A + 1].
    std::vector<std::size_t> columnsOf(std::size_t points) const;
    void packTile(std::size_t tile, const std::stop_token& stop);

    const TilePlan& m_plan;
    std::vector<char> m_wanted;
    std::filesystem::path m_scratchPrefix;
    std::optional<ScratchFolder> m_scratch; ///< created when points are moved to files for the first time
    std::vector<Tile> m_tiles;
    std::atomic<std::uint64_t> m_bytes = 0, m_packedBytes = 0;
    std::atomic<std::uint64_t> m_read = 0, m_outside = 0, m_notFinite = 0, m_strayed = 0;
};

} // namespace scanloupe
