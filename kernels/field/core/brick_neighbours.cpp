// Finds the 26 neighbours of bricks in a sorted list on the CPU.
#include "kernels/field/core/brick_neighbours.h"

#include "kernels/core/parallel.h"
#include "kernels/field/core/scalar_field.h"

#include <algorithm>

namespace scanloupe {

namespace {
/// Cursor into the table for one row of neighbours (fixed dy, dz). Queries and table are both ascending, so
/// the cursor only moves forwards.
struct RowCursor {
    std::size_t at = 0;
    bool started = false;
    void advance(std::span<const std::uint64_t> table, std::uint64_t key) {
        if (!started) {
            at = static_cast<std::size_t>(std::lower_bound(table.begin(), table.end(), key) - table.begin());
            started = true;
        }
        while (at < table.size() && table[at] < key)
            ++at;
    }
};
} // namespace

std::vector<std::uint32_t> matchedBricks(std::span<const std::uint64_t> keys,
                                         std::span<const std::uint64_t> table) {
    std::vector<std::uint32_t> places(keys.size(), kNoBrick);
    std::size_t at = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        while (at < table.size() && table[at] < keys[i])
            ++at;
        if (at < table.size() && table[at] == keys[i])
            places[i] = std::uint32_t(at);
    }
    return places;
}

Buffer<std::uint32_t> findNeighbours(std::span<const std::uint64_t> bricks,
                                     std::span<const std::uint64_t> table, Vec3i brickDims,
                                     const std::stop_token& stop) {
    requireIndexableBricks(table.size());
    auto result = Buffer<std::uint32_t>::host(bricks.size() * kNeighbours);
    const auto rowStep = std::int64_t(brickDims.x);
    const std::int64_t layerStep = rowStep * std::int64_t(brickDims.y);
    parallelFor(bricks.size(), 4096, stop, [&](std::size_t begin, std::size_t end) {
        std::array<RowCursor, 9> cursors;
        for (std::size_t q = begin; q < end; ++q) {
            const Vec3i brick = brickOf(bricks[q], brickDims);
            for (int dz = -1; dz <= 1; ++dz) {
                for (int dy = -1; dy <= 1; ++dy) {
                    std::uint32_t* out = &result[q * kNeighbours + neighbourSlot(-1, dy, dz)];
                    std::fill_n(out, 3, kNoBrick);
                    if (brick.y + dy < 0 || brick.y + dy >= brickDims.y || brick.z + dz < 0 ||
                        brick.z + dz >= brickDims.z)
                        continue;
                    const std::uint64_t middle =
                        bricks[q] + static_cast<std::uint64_t>(dz * layerStep + dy * rowStep);
                    const std::uint64_t first = brick.x > 0 ? middle - 1 : middle;
                    const std::uint64_t last = brick.x + 1 < brickDims.x ? middle + 1 : middle;
                    auto& cursor = cursors[static_cast<std::size_t>((dz + 1) * 3 + dy + 1)];
                    cursor.advance(table, first);
                    for (std::size_t i = cursor.at; i < table.size() && table[i] <= last; ++i)
                        out[table[i] + 1 - middle] = static_cast<std::uint32_t>(i);
                }
            }
        }
    });
    return result;
}

} // namespace scanloupe
