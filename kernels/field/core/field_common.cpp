// Marks the cells of a lattice, and finds the value range of a field, on the CPU.
#include "kernels/field/core/field_common.h"

#include "kernels/core/parallel.h"
#include "kernels/field/core/brick_bits.h"
#include "kernels/field/core/brick_neighbours.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scanloupe::cpu {

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
    struct MinMax {
        float min = std::numeric_limits<float>::max(), max = std::numeric_limits<float>::lowest();
    };
    const auto range = parallelReduce(
        field.values.size(), std::size_t{1} << 18, stop, MinMax{},
        [&](std::size_t begin, std::size_t end) {
            MinMax part;
            for (std::size_t i = begin; i < end; ++i) {
                const float value = field.values[i];
                if (!(std::abs(value) <= std::numeric_limits<float>::max()))
                    continue;
                part.min = std::min(part.min, value);
                part.max = std::max(part.max, value);
            }
            return part;
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
