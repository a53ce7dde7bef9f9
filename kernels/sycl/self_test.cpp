// Compares a small scene's voxels and surface with those of the CPU.
#include "kernels/sycl/self_test.h"

#include "kernels/core/mix_bits.h"
#include "kernels/mesh/core/triangle_mesh.h"

#include <cmath>
#include <cstring>
#include <exception>

namespace scanloupe {

namespace {

template <class T>
bool same(const Buffer<T>& a, const Buffer<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.bytes()) == 0);
}

/// Points on a wavy sheet, some of them far outside or not finite.
std::vector<Vec3f> somePoints() {
    std::vector<Vec3f> points;
    for (std::uint32_t i = 0; i < 3000; ++i) {
        const auto at = [i](std::uint32_t axis) {
            return float(mixBits(3 * std::uint64_t{i} + axis) >> 40) / float(1 << 24);
        };
        const float x = 4 * at(0), y = 4 * at(1);
        points.push_back({x, y, 1 + 0.5f * x * (1 - 0.25f * x) + 0.01f * at(2)});
    }
    points[17].x = std::nanf("");
    points[18].y = 1e30f;
    points[19].z = -100;
    return points;
}

/// A ball of 2 x 2 x 2 bricks, with a node without a value.
ScalarField ball() {
    ScalarField field;
    field.kind = FieldKind::volume;
    field.brickDims = {2, 2, 2};
    field.lattice = {{-1, -1, -1}, {0.125f, 0.125f, 0.125f}, {16, 16, 16}};
    field.brickKeys = Buffer<std::uint64_t>::host(8);
    field.values = Buffer<float>::host(8 * kBrickNodes);
    field.cellMask = Buffer<std::uint64_t>::host(8 * kBrickEdge);
    for (std::uint64_t brick = 0; brick < 8; ++brick) {
        field.brickKeys[brick] = brick;
        for (int i = 0; i < kBrickNodes; ++i) {
            const Vec3i node{i % 8 + 8 * int(brick & 1), i / 8 % 8 + 8 * int(brick >> 1 & 1),
                             i / 64 + 8 * int(brick >> 2)};
            const Vec3f p = field.lattice.position(node);
            field.values[brick * kBrickNodes + std::size_t(i)] =
                0.7f - (p.x * p.x + 1.1f * p.y * p.y + 0.9f * p.z * p.z);
        }
        for (int z = 0; z < kBrickEdge; ++z) // no cells beyond the last nodes
            field.cellMask[brick * kBrickEdge + std::size_t(z)] =
                (brick >> 2) == 1 && z == 7
                    ? 0
                    : ((brick & 1) != 0 ? 0x7f7f7f7f7f7f7f7fu : ~std::uint64_t{0}) &
                          ((brick >> 1 & 1) != 0 ? ~std::uint64_t{0} >> 8 : ~std::uint64_t{0});
    }
    field.values[5 * kBrickNodes + 3] = std::nanf("");
    return field;
}

} // namespace

std::string failureOfSelfTest(const SyclDevice& device) {
    try {
        const std::vector<Vec3f> points = somePoints();
        VoxelizeParams params;
        params.rangeMin = {0, 0, 0};
        params.rangeMax = {4, 4, 4};
        params.voxelSize = {0.1f, 0.1f, 0.1f};
        const PointsView view{points.data(), points.size(), {}};
        const VoxelGrid a = cpu::voxelize(view, params, {}), b = device.voxelize(view, params, {});
        if (!same(a.keys, b.keys) || !same(a.counts, b.counts) || !same(a.means, b.means) ||
            !same(a.pointVoxel, b.pointVoxel) || !(a.stats == b.stats))
            return "It computes other voxels than the CPU, so it is not used: update its driver or its SYCL.";
        const ScalarField field = ball();
        const TriangleMesh c = cpu::extractSurface(field, 0, {}), d = device.extractSurface(field, 0, {});
        const char* const other =
            !same(c.indices, d.indices)       ? "triangles"
            : !same(c.positions, d.positions) ? "positions of vertices"
            : !same(c.normals, d.normals)     ? "normals"
            : c.activeCells != d.activeCells || c.zeroAreaTriangles != d.zeroAreaTriangles
                ? "numbers of cells"
                : nullptr;
        if (other)
            return std::string("It computes other ") + other +
                   " of a surface than the CPU, so it is not used: update its driver or its SYCL.";
    } catch (const std::exception& error) {
        return std::string("It fails: ") + error.what() + ".";
    }
    return {};
}

} // namespace scanloupe
