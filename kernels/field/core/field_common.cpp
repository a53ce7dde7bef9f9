// Marks the cells of a lattice, and finds the value range of a field, on the CPU.
#include "kernels/field/core/field_common.h"

#include "kernels/core/parallel.h"
#include "kernels/field/core/brick_bits.h"
#include "kernels/field/core/brick_neighbours.h"

#include <algorithm>
#include <limits>
#include <span>

namespace scanloupe::cpu {

namespace {

struct MinMax {
    float min = std::numeric_limits<float>::max(), max = std::numeric_limits<float>::lowest();
};

/// The smallest and the largest value that is neither NaN nor infinite. Eight lanes side by side: compilers
/// do not vectorize a reduction that skips values.
MinMax finiteRange(std::span<const float> values) {
    constexpr std::size_t lanes = 8;
    const MinMax none;
    float low[lanes], high[lanes];
    std::fill_n(low, lanes, none.min);
    std::fill_n(high, lanes, none.max);
    const auto take = [&](std::size_t lane, float value) {
        low[lane] = (value >= none.max) & (value < low[lane]) ? value : low[lane];
        high[lane] = (value <= none.min) & (value > high[lane]) ? value : high[lane];
    };
    const std::size_t whole = values.size() / lanes * lanes;
    for (std::size_t i = 0; i < whole; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane)
            take(lane, values[i + lane]);
    for (std::size_t i = whole; i < values.size(); ++i)
        take(0, values[i]);
    return {*std::min_element(low, low + lanes), *std::max_element(high, high + lanes)};
}

} // namespace

void fillLatticeCells(ScalarField& field, const std::stop_token& stop) {
    field.cellMask = Buffer<std::uint64_t>::host(field.brickCount() * kBrickEdge);
    parallelFor(field.brickCount(), 4096, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b) {
            const Vec3i first = brickOf(field.brickKeys[b], field.brickDims) * kBrickEdge;
            const Vec3i cells = field.lattice.dims - Vec3i{1, 1, 1} - first;
            for (int z = 0; z < kBrickEdge; ++z)
                field.cellMask[b * kBrickEdge + static_cast<std::size_t>(z)] = bits::before(cells, z);
        }
    });
}

void finishField(ScalarField& field, const WallTimer& timer, const std::stop_token& stop) {
    const auto range = parallelReduce(
        field.values.size(), std::size_t{1} << 18, stop, MinMax{},
        [&](std::size_t begin, std::size_t end) {
            return finiteRange(field.values.span().subspan(begin, end - begin));
        },
        [](MinMax a, MinMax b) {
            return MinMax{std::min(a.min, b.min), std::max(a.max, b.max)};
        });
    if (range.min <= range.max) {
        field.minValue = range.min + 0.0f; // turns -0 into 0: which of them came first must not matter
        field.maxValue = range.max + 0.0f;
    }
    field.cost.bytes = field.bytes();
    field.cost.wallMs = timer.elapsedMs();
}

} // namespace scanloupe::cpu
