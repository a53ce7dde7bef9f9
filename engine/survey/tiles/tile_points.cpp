// Sorts points into tiles, and moves points that exceed the memory limit to files.
#include "engine/survey/tiles/tile_points.h"

#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/survey/tiles/packed_points.h"
#include "kernels/core/parallel.h"
#include "kernels/voxelize/core/voxel_element.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <unordered_map>
#include <utility>

namespace scanloupe {

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 14; // number of points

/// Header of each block in a file.
struct BlockHead {
    std::uint64_t points = 0, bytes = 0;
};

bool isWithin(const Bounds& box, Vec3d p) {
    return min(p, box.min) == box.min && max(p, box.max) == box.max;
}

/// Groups the points of a chunk by tile.
class ChunkSorter {
public:
    struct Share {
        std::size_t tile = 0;
        std::vector<Vec3f> positions;
        std::vector<std::uint32_t> rows; ///< indices of the points in their piece
    };
    void add(std::size_t tile, Vec3f position) { shareOf(tile).positions.push_back(position); }
    void add(std::size_t tile, Vec3f position, std::size_t row) {
        Share& share = shareOf(tile);
        share.positions.push_back(position);
        share.rows.push_back(std::uint32_t(row));
    }
    std::vector<Share>& shares() { return m_shares; }

private:
    Share& shareOf(std::size_t tile) {
        if (m_last >= m_shares.size() || m_shares[m_last].tile != tile) {
            m_last = m_numbers.try_emplace(tile, m_shares.size()).first->second;
            if (m_last == m_shares.size())
                m_shares.push_back({tile, {}, {}});
        }
        return m_shares[m_last];
    }

    std::vector<Share> m_shares;
    std::unordered_map<std::size_t, std::size_t> m_numbers; // tile to index in m_shares
    std::size_t m_last = 0; // cache of the last index: neighbouring points are mostly in the same tile
};

/// Copies selected rows of a column into a contiguous array.
template <std::size_t kWidth>
void gatherRows(const std::byte* from, std::span<const std::uint32_t> rows, std::byte* to) {
    for (const std::uint32_t row : rows) {
        std::memcpy(to, from + row * kWidth, kWidth);
        to += kWidth;
    }
}

void gatherRows(const std::byte* from, std::size_t width, std::span<const std::uint32_t> rows,
                std::byte* to) {
    switch (width) {
    case 1:
        return gatherRows<1>(from, rows, to);
    case 2:
        return gatherRows<2>(from, rows, to);
    case 4:
        return gatherRows<4>(from, rows, to);
    default:
        return gatherRows<8>(from, rows, to);
    }
}

} // namespace

TilePoints::TilePoints(const TilePlan& plan, std::vector<char> wanted, std::filesystem::path scratch)
    : m_plan(plan), m_wanted(std::move(wanted)), m_scratchPrefix(std::move(scratch)), m_tiles(plan.size()) {}

std::uint64_t TilePoints::bytesOf(std::uint64_t points) const {
    return points * (sizeof(Vec3f) + m_plan.params().attributes.bytesPerPoint());
}

std::vector<std::size_t> TilePoints::columnsOf(std::size_t points) const {
    std::vector<std::size_t> columns{0};
    for (const SurveyAttribute& attribute : m_plan.params().attributes.list)
        columns.push_back(columns.back() + points * sizeOf(attribute.type));
    return columns;
}

void TilePoints::add(const SurveyPiece& piece, const Bounds& box, const std::stop_token& stop) {
    const std::vector<SurveyAttribute>& attributes = m_plan.params().attributes.list;
    const std::span<const Vec3d> points = piece.points;
    if (piece.values.size() != attributes.size())
        throw Fault("the points of a survey have other attributes than its tile plan");
    const VoxelCells cells(m_plan.grid(), m_plan.params().voxels.rangeMax);
    const Vec3d origin = m_plan.params().origin;
    parallelFor(points.size(), kChunk, stop, [&](std::size_t begin, std::size_t end) {
        ChunkSorter sorter;
        SurveyPointCounts counts;
        for (std::size_t row = begin; row < end; ++row) {
            const Vec3d& place = points[row];
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
                        if (const std::size_t tile = m_plan.indexOf({x, y, z});
                            m_wanted[tile] && attributes.empty())
                            sorter.add(tile, p);
                        else if (m_wanted[tile])
                            sorter.add(tile, p, row);
        }
        m_read += end - begin;
        m_outside += counts.outside;
        m_notFinite += counts.notFinite;
        m_strayed += counts.strayed;
        for (ChunkSorter::Share& share : sorter.shares()) {
            const std::size_t count = share.positions.size();
            Block block{std::move(share.positions), {}};
            block.positions.shrink_to_fit();
            const std::vector<std::size_t> columns = columnsOf(count);
            block.values.resize(columns.back());
            for (std::size_t a = 0; a < attributes.size(); ++a)
                gatherRows(piece.values[a], sizeOf(attributes[a].type), share.rows,
                           block.values.data() + columns[a]);
            m_bytes += bytesOf(count);
            Tile& tile = m_tiles[share.tile];
            const std::lock_guard lock(tile.mutex);
            tile.points += count;
            tile.blocks.push_back(std::move(block));
        }
    });
}

std::uint64_t TilePoints::pointsInMemory(std::size_t number) {
    Tile& tile = m_tiles[number];
    const std::lock_guard lock(tile.mutex);
    return tile.points;
}

std::filesystem::path TilePoints::fileOf(std::size_t tile) const {
    return m_scratch.value().file(std::to_string(tile));
}

void TilePoints::packTile(std::size_t number, const std::stop_token& stop) {
    const std::vector<SurveyAttribute>& attributes = m_plan.params().attributes.list;
    Tile& tile = m_tiles[number];
    std::vector<Block> blocks;
    {
        const std::lock_guard lock(tile.mutex);
        blocks = std::exchange(tile.blocks, {});
        tile.packed += std::exchange(tile.points, 0);
    }
    std::vector<std::vector<char>> packed(blocks.size());
    parallelFor(blocks.size(), 1, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b) {
            const std::span<const std::byte> values(blocks[b].values);
            const std::vector<std::size_t> places = columnsOf(blocks[b].positions.size());
            std::vector<PackedColumn> columns{{std::as_bytes(std::span(blocks[b].positions)), sizeof(Vec3f)}};
            for (std::size_t a = 0; a < attributes.size(); ++a)
                columns.push_back(
                    {values.subspan(places[a], places[a + 1] - places[a]), sizeOf(attributes[a].type)});
            packed[b] = packColumns(columns);
        }
    });
    if (!m_scratch)
        m_scratch.emplace(m_scratchPrefix);
    std::ofstream file(fileOf(number), std::ios::binary | std::ios::app);
    std::uint64_t bytes = 0;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        const BlockHead head{blocks[b].positions.size(), packed[b].size()};
        file.write(reinterpret_cast<const char*>(&head), sizeof head);
        file.write(packed[b].data(), std::streamsize(packed[b].size()));
        m_packedBytes += sizeof head + packed[b].size();
        bytes += bytesOf(blocks[b].positions.size());
    }
    file.flush();
    if (!file)
        throw EngineError(fmt::format("Cannot write points to '{}': the disk is full or read-only.",
                                      m_scratch->path().string()),
                          "Free disk space or name another output folder, and run the job again: finished "
                          "tiles are reused.");
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

TileCloud TilePoints::take(std::size_t number, const std::stop_token& stop) {
    const std::vector<SurveyAttribute>& attributes = m_plan.params().attributes.list;
    Tile& tile = m_tiles[number];
    std::vector<Block> blocks;
    std::uint64_t inMemory = 0;
    {
        const std::lock_guard lock(tile.mutex);
        blocks = std::exchange(tile.blocks, {});
        inMemory = std::exchange(tile.points, 0);
    }
    TileCloud cloud{Buffer<Vec3f>::host(inMemory + tile.packed)};
    Buffer<Vec3f>& points = cloud.positions;
    for (const SurveyAttribute& attribute : attributes)
        cloud.values.push_back(Buffer<std::byte>::host(points.size() * sizeOf(attribute.type)));
    std::size_t at = 0;
    for (Block& block : blocks) {
        std::ranges::copy(block.positions, points.data() + at);
        const std::vector<std::size_t> columns = columnsOf(block.positions.size());
        for (std::size_t a = 0; a < attributes.size(); ++a)
            std::copy(block.values.data() + columns[a], block.values.data() + columns[a + 1],
                      cloud.values[a].data() + at * sizeOf(attributes[a].type));
        at += block.positions.size();
        block = {}; // releases memory block by block, so that not all points are in memory twice
    }
    m_bytes -= bytesOf(inMemory);
    if (tile.packed == 0)
        return cloud;
    std::ifstream file(fileOf(number), std::ios::binary);
    std::vector<std::vector<char>> packed;
    std::vector<std::vector<UnpackedColumn>> places;
    BlockHead head;
    while (at < points.size() && file.read(reinterpret_cast<char*>(&head), sizeof head) &&
           head.points <= points.size() - at) {
        packed.emplace_back(head.bytes);
        file.read(packed.back().data(), std::streamsize(head.bytes));
        places.push_back({{std::as_writable_bytes(points.span().subspan(at, head.points)), sizeof(Vec3f)}});
        for (std::size_t a = 0; a < attributes.size(); ++a) {
            const std::size_t width = sizeOf(attributes[a].type);
            places.back().push_back({cloud.values[a].span().subspan(at * width, head.points * width), width});
        }
        at += head.points;
    }
    if (at != points.size() || !file)
        throw EngineError(
            fmt::format("The temporary file '{}' is incomplete or was removed.", fileOf(number).string()),
            "Run the job again: finished tiles are reused.");
    parallelFor(packed.size(), 1, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b)
            unpackColumns(packed[b], places[b]);
    });
    file.close();
    removeOwnFile(fileOf(number));
    return cloud;
}

SurveyPointCounts TilePoints::counts() const {
    return {m_read, m_outside, m_notFinite, m_strayed};
}

} // namespace scanloupe
