#include "kernels/core/parallel.h"
#include "kernels/field/brick_neighbours.h"
#include "kernels/field/field_parts.h"
#include "kernels/field/scalar_field.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace scanloupe::cpu {

namespace {
void checkVolume(std::span<const float> values, const LatticeShape& lattice, bool clampBorder) {
    const Vec3i n = lattice.dims;
    const auto limit = std::numeric_limits<std::int32_t>::max() - (clampBorder ? 1 : 0);
    for (int axis = 0; axis < 3; ++axis) {
        if (n[axis] < 1 || n[axis] > limit)
            throw KernelError("a volume has " + std::to_string(n[axis]) + " samples along an axis",
                              "Give each axis at least 1 and at most 2147483646 samples.");
        if (!(lattice.spacing[axis] > 0) || !std::isfinite(lattice.spacing[axis]))
            throw KernelError("a volume's spacing is not a positive number",
                              "Give each axis a spacing above 0.");
    }
    const auto plane = std::uint64_t(n.x) * std::uint64_t(n.y); // each below 2^31: no overflow
    if (plane > values.size() || plane * std::uint64_t(n.z) != values.size())
        throw KernelError("a volume of " + std::to_string(n.x) + " x " + std::to_string(n.y) + " x " +
                              std::to_string(n.z) + " samples came with " + std::to_string(values.size()) +
                              " values",
                          "Check the volume's dimensions against its file.");
}
} // namespace

ScalarField volumeField(std::span<const float> values, const LatticeShape& lattice, bool clampBorder,
                        bool insideBelow, const std::stop_token& stop) {
    const WallTimer timer;
    checkVolume(values, lattice, clampBorder);
    ScalarField field;
    field.kind = FieldKind::volume;
    field.insideBelow = insideBelow;
    field.lattice = lattice;
    const Vec3i samples = lattice.dims;
    if (clampBorder)
        field.lattice.dims = samples + Vec3i{1, 1, 1};
    field.brickDims = coveringBricks(field.lattice.dims);
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
    finishField(field, timer, stop);
    return field;
}

} // namespace scanloupe::cpu
