// Copies a raw volume into the bricks of a dense field on the CPU.
#include "kernels/core/cost.h"
#include "kernels/core/parallel.h"
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/field/core/field_common.h"
#include "kernels/field/core/field_support.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace scanloupe::cpu {

ScalarField volumeField(std::span<const float> values, const LatticeShape& lattice, bool clampBorder,
                        bool insideBelow, const std::stop_token& stop) {
    const WallTimer timer;
    ScalarField field = volumeLayout(values.size(), lattice, clampBorder, insideBelow);
    const Vec3i samples = lattice.dims;
    const std::uint64_t bricks = std::uint64_t(field.brickDims.x) * std::uint64_t(field.brickDims.y) *
                                 std::uint64_t(field.brickDims.z);
    field.brickKeys = Buffer<std::uint64_t>::host(bricks);
    std::iota(field.brickKeys.span().begin(), field.brickKeys.span().end(), std::uint64_t{0});
    field.values = Buffer<float>::host(bricks * kBrickNodes);
    parallelFor(bricks, 256, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b) {
            const Vec3i first = brickOf(b, field.brickDims) * kBrickEdge;
            float* out = &field.values[b * kBrickNodes];
            for (int row = 0; row < kBrickEdge * kBrickEdge; ++row, out += kBrickEdge) {
                const Vec3i node{first.x, first.y + row % kBrickEdge, first.z + row / kBrickEdge};
                std::fill_n(out, kBrickEdge, std::numeric_limits<float>::quiet_NaN());
                if (node.y >= field.lattice.dims.y || node.z >= field.lattice.dims.z)
                    continue;
                const auto y = std::size_t(std::min(node.y, samples.y - 1));
                const auto z = std::size_t(std::min(node.z, samples.z - 1));
                const float* from = &values[(z * std::size_t(samples.y) + y) * std::size_t(samples.x)];
                const int count = std::min(kBrickEdge, field.lattice.dims.x - node.x);
                for (int x = 0; x < count; ++x)
                    out[x] = from[std::min(node.x + x, samples.x - 1)];
            }
        }
    });
    fillLatticeCells(field, stop);
    findRange(field, stop);
    field.cost = {timer.elapsedMs(), 0.0, field.bytes()};
    return field;
}

} // namespace scanloupe::cpu
