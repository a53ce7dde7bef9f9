// Sorts points into tiles, and packs those that memory doesn't hold.
#include "engine/tiles/tile_points.h"

#include "engine/cloud/error.h"
#include "engine/tiles/packed_points.h"
#include "kernels/core/parallel.h"
#include "kernels/voxelize/core/voxel_element.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fstream>
#include <utility>

namespace scanloupe {

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 14; // points

/// In front of each block of a file.
struct BlockHead {
    std::uint64_t points = 0, bytes = 0;
};

bool isWithin(const Bounds& box, Vec3d p) {
    return min(p, box.min) == box.min && max(p, box.max) == box.max;
}

/// Points of a chunk by their tiles.
class ChunkSorter {
public:
    struct Block {
        std::size_t tile = 0;
        std::vector<Vec3f> points;
    };
    void add(std::size_t tile, Vec3f point) {
        if (m_last >= m_blocks.size() || m_blocks[m_last].tile != tile) {
            m_last = 0;
            while (m_last < m_blocks.size() && m_blocks[m_last].tile != tile)
                ++m_last;
            if (m_last == m_blocks.size())
                m_blocks.push_back({tile, {}});
        }
        m_blocks[m_last].points.push_back(point);
    }
    std::vector<Block>& blocks() { return m_blocks; }

private:
    std::vector<Block> m_blocks; // few: neighbouring points lie in a few tiles
    std::size_t m_last = 0;
};

} // namespace

TilePoints::TilePoints(const TilePlan& plan, std::vector<char> wanted, std::filesystem::path folder)
    : m_plan(plan), m_wanted(std::move(wanted)), m_folder(std::move(folder)), m_tiles(plan.size()) {
    std::error_code ignored; // what a run has left that was killed
    std::filesystem::remove_all(m_folder, ignored);
}

TilePoints::~TilePoints() {
    std::error_code ignored; // the next run tries again
    std::filesystem::remove_all(m_folder, ignored);
}

void TilePoints::add(std::span<const Vec3d> points, const Bounds& box, const std::stop_token& stop) {
    const VoxelCells cells(m_plan.grid(), m_plan.params().voxels.rangeMax);
    const Vec3d origin = m_plan.params().origin;
    parallelFor(points.size(), kChunk, stop, [&](std::size_t begin, std::size_t end) {
        ChunkSorter sorter;
        SurveyPointCounts counts;
        for (const Vec3d& place : points.subspan(begin, end - begin)) {
            const Vec3f p = (place - origin).as<float>();
            if (!isFinite(p)) {
                ++counts.notFinite;
                continue;
            }
            if (!isWithin(box, place)) {
                ++counts.strayed;
                continue;
            }
            if (!cells.contains(p)) {
                ++counts.outside;
                continue;
            }
            std::array<TilePlan::Span, 3> spans;
            for (int axis = 0; axis < 3; ++axis)
                spans[std::size_t(axis)] =
                    m_plan.tilesOfCells(axis)[std::size_t(cells.cellAlong(axis, p[axis]))];
            for (int z = spans[2].first; z <= spans[2].last; ++z)
                for (int y = spans[1].first; y <= spans[1].last; ++y)
                    for (int x = spans[0].first; x <= spans[0].last; ++x)
                        if (const std::size_t tile = m_plan.indexOf({x, y, z}); m_wanted[tile])
                            sorter.add(tile, p);
        }
        m_read += end - begin;
        m_outside += counts.outside;
        m_notFinite += counts.notFinite;
        m_strayed += counts.strayed;
        for (ChunkSorter::Block& block : sorter.blocks()) {
            block.points.shrink_to_fit();
            m_bytes += block.points.size() * sizeof(Vec3f);
            Tile& tile = m_tiles[block.tile];
            const std::lock_guard lock(tile.mutex);
            tile.points += block.points.size();
            tile.blocks.push_back(std::move(block.points));
        }
    });
}

std::filesystem::path TilePoints::fileOf(std::size_t tile) const {
    return m_folder / fmt::format("{}.points", tile);
}

void TilePoints::packTile(std::size_t number, const std::stop_token& stop) {
    Tile& tile = m_tiles[number];
    std::vector<std::vector<Vec3f>> blocks;
    {
        const std::lock_guard lock(tile.mutex);
        blocks = std::exchange(tile.blocks, {});
        tile.packed += std::exchange(tile.points, 0);
    }
    std::vector<std::vector<char>> packed(blocks.size());
    parallelFor(blocks.size(), 1, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b)
            packed[b] = packPoints(blocks[b]);
    });
    std::error_code failed; // the file can't be opened, then
    std::filesystem::create_directories(m_folder, failed);
    std::ofstream file(fileOf(number), std::ios::binary | std::ios::app);
    std::uint64_t bytes = 0;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        const BlockHead head{blocks[b].size(), packed[b].size()};
        file.write(reinterpret_cast<const char*>(&head), sizeof head);
        file.write(packed[b].data(), std::streamsize(packed[b].size()));
        m_packedBytes += sizeof head + packed[b].size();
        bytes += blocks[b].size() * sizeof(Vec3f);
    }
    file.flush();
    if (!file)
        throw EngineError(fmt::format("Points can't be written to '{}': the disk is full, or read-only.",
                                      m_folder.string()),
                          "Free some room or name another folder, and start the job again: it goes on where "
                          "it was.");
    m_bytes -= bytes;
}

void TilePoints::pack(std::uint64_t most, const std::stop_token& stop) {
    while (m_bytes > most) {
        const auto fullest = std::ranges::max_element(m_tiles, {}, [](Tile& tile) {
            const std::lock_guard lock(tile.mutex);
            return tile.points;
        });
        if (fullest->points == 0)
            return;
        packTile(std::size_t(fullest - m_tiles.begin()), stop);
    }
}

Buffer<Vec3f> TilePoints::take(std::size_t number, const std::stop_token& stop) {
    Tile& tile = m_tiles[number];
    std::vector<std::vector<Vec3f>> blocks;
    std::uint64_t inMemory = 0;
    {
        const std::lock_guard lock(tile.mutex);
        blocks = std::exchange(tile.blocks, {});
        inMemory = std::exchange(tile.points, 0);
    }
    auto points = Buffer<Vec3f>::host(inMemory + tile.packed);
    std::size_t at = 0;
    for (std::vector<Vec3f>& block : blocks) {
        std::ranges::copy(block, points.data() + at);
        at += block.size();
        std::vector<Vec3f>().swap(block); // not both copies of all at once
    }
    m_bytes -= inMemory * sizeof(Vec3f);
    if (tile.packed == 0)
        return points;
    std::ifstream file(fileOf(number), std::ios::binary);
    std::vector<std::vector<char>> packed;
    std::vector<std::span<Vec3f>> places;
    BlockHead head;
    while (at < points.size() && file.read(reinterpret_cast<char*>(&head), sizeof head) &&
           head.points <= points.size() - at) {
        packed.emplace_back(head.bytes);
        file.read(packed.back().data(), std::streamsize(head.bytes));
        places.push_back(points.span().subspan(at, head.points));
        at += head.points;
    }
    if (at != points.size() || !file)
        throw EngineError("Points that were put on the disk are not there any more.",
                          "Start the job again: it goes on where it was.");
    parallelFor(packed.size(), 1, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b)
            unpackPoints(packed[b], places[b]);
    });
    file.close();
    std::error_code ignored;
    std::filesystem::remove(fileOf(number), ignored);
    return points;
}

SurveyPointCounts TilePoints::counts() const {
    return {m_read, m_outside, m_notFinite, m_strayed};
}

} // namespace scanloupe
