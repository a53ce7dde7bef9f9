// Marks the cells of a lattice, and computes the value range of a field, on the CPU.
#include "kernels/field/core/field_common.h"

#include "kernels/core/parallel.h"
#include "kernels/field/core/brick_bits.h"
#include "kernels/field/core/brick_neighbours.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace scanloupe::cpu {

MinMax rangeOf(std::span<const float> values) {
    MinMax range;
    for (const float value : values) {
        if (!(std::abs(value) <= std::numeric_limits<float>::max()))
            continue;
        range.min = std::min(range.min, value);
        range.max = std::max(range.max, value);
    }
    return range;
}

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

void setRange(ScalarField& field, MinMax range) {
    if (range.min > range.max)
        return;
    field.minValue = range.min + 0.0f; // adding 0 turns -0 into +0, since the sign of a zero minimum would
                                       // depend on the order of values
    field.maxValue = range.max + 0.0f;
}

void findRange(ScalarField& field, const std::stop_token& stop) {
    setRange(field, parallelReduce(
                        field.values.size(), std::size_t{1} << 18, stop, MinMax{},
                        [&](std::size_t begin, std::size_t end) {
                            return rangeOf(field.values.span().subspan(begin, end - begin));
                        },
                        [](MinMax a, MinMax b) { return both(a, b); }));
}

} // namespace scanloupe::cpu
