// Averages deviations over cells and their neighbours.
#include "engine/inspect/average_deviations.h"

#include "kernels/core/parallel.h"
#include "kernels/cut/cut_points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace scanloupe {

namespace {

constexpr std::size_t kAverageDeviationsGrain = std::size_t{1} << 14;
constexpr int kBits = 21; // number of bits of a cell coordinate in a key

/// A cell with points, and the sum of their distances.
struct Cell {
    std::uint64_t key = 0;
    std::uint32_t count = 0;
    double sum = 0;
};

/// Maps points to the keys of cells around the origin; none for a point that is not finite or too far away.
class CellKeys {
public:
    CellKeys(Vec3d middle, double edge) : m_middle(middle), m_edge(edge) {}
    std::optional<std::uint64_t> of(Vec3f p) const {
        constexpr double half = 1 << (kBits - 1);
        std::uint64_t key = 0;
        for (int axis = 2; axis >= 0; --axis) {
            const double at = std::floor((double(p[axis]) - m_middle[axis]) / m_edge) + half;
            if (!(at >= 1 && at < 2 * half - 1)) // the margin ensures that neighbouring cells have valid keys
                return std::nullopt;
            key = key << kBits | std::uint64_t(at);
        }
        return key;
    }

private:
    Vec3d m_middle;
    double m_edge;
};

/// Returns the component-wise median of a sample of the finite points, which outliers do not move.
Vec3d middleOf(std::span<const Vec3f> points) {
    const std::size_t step = std::max<std::size_t>(1, points.size() / 1000);
    Vec3d middle;
    for (int axis = 0; axis < 3; ++axis) {
        std::vector<float> some;
        for (std::size_t i = 0; i < points.size(); i += step)
            if (isPresent(points[i]))
                some.push_back(points[i][axis]);
        if (some.empty())
            continue;
        const auto half = some.begin() + std::ptrdiff_t(some.size() / 2);
        std::ranges::nth_element(some, half);
        middle[axis] = double(*half);
    }
    return middle;
}

/// Returns the cells of items that are sorted by cell.
std::vector<Cell> cellsOf(std::span<const KeyIndex> items, std::span<const float> distances) {
    std::vector<Cell> cells;
    for (const KeyIndex& item : items) {
        if (cells.empty() || cells.back().key != item.key)
            cells.push_back({item.key, 0, 0});
        ++cells.back().count;
        cells.back().sum += double(distances[item.index]);
    }
    return cells;
}

/// Returns the mean over a cell and the 26 cells around it.
float meanAround(const std::vector<Cell>& cells, std::uint64_t key) {
    double sum = 0;
    std::uint64_t count = 0;
    for (std::int64_t z = -1; z <= 1; ++z)
        for (std::int64_t y = -1; y <= 1; ++y) {
            // the keys of three cells along x are consecutive
            const std::uint64_t row =
                key + std::uint64_t(z << 2 * kBits) + std::uint64_t(y * (std::int64_t{1} << kBits));
            auto found = std::ranges::lower_bound(cells, row - 1, {}, &Cell::key);
            for (; found != cells.end() && found->key <= row + 1; ++found) {
                sum += found->sum;
                count += found->count;
            }
        }
    return float(sum / double(count));
}

} // namespace

Buffer<float> averagedDeviations(std::span<const Vec3f> points, std::span<const float> distances,
                                 double window, const std::stop_token& stop) {
    const CellKeys keys(middleOf(points), window / 3);
    auto averaged = Buffer<float>::host(points.size());
    auto all = Buffer<KeyIndex>::host(points.size()), scratch = Buffer<KeyIndex>::host(points.size());
    constexpr std::uint64_t none = std::uint64_t{1} << 3 * kBits; // sorts after all other keys
    parallelFor(points.size(), kAverageDeviationsGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            averaged[i] = distances[i];
            const auto key = distances[i] == distances[i] ? keys.of(points[i]) : std::nullopt;
            all[i] = {key.value_or(none), i};
        }
    });
    parallelSortByKey(all.span(), scratch.span(), 3 * kBits + 1, stop);
    const auto counted = std::ranges::lower_bound(all.span(), none, {}, &KeyIndex::key) - all.span().begin();
    const auto items = std::span<const KeyIndex>(all.span()).first(std::size_t(counted));
    const std::vector<Cell> cells = cellsOf(items, distances);
    std::vector<std::uint64_t> begins(cells.size());
    for (std::size_t c = 0, at = 0; c < cells.size(); at += cells[c++].count)
        begins[c] = at;
    parallelFor(cells.size(), 1024, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) {
            const float mean = meanAround(cells, cells[c].key);
            for (std::size_t k = 0; k < cells[c].count; ++k)
                averaged[items[begins[c] + k].index] = mean;
        }
    });
    return averaged;
}

} // namespace scanloupe
