// Compares voxels, field, surface and picture of a small scene with those of the CPU.
#include "kernels/sycl/self_test.h"

#include "kernels/core/mix_bits.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/raster/core/rasterizer.h"
#include "kernels/raster/resolve/resolve.h"

#include <cmath>
#include <cstring>
#include <exception>

namespace scanloupe {

namespace {

template <class T>
bool same(const Buffer<T>& a, const Buffer<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.bytes()) == 0);
}

/// Returns points on a wavy sheet, some of which are far outside or not finite.
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

/// Returns the field of a ball in 2 x 2 x 2 bricks, with a node that has no value.
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
        for (int z = 0; z < kBrickEdge; ++z) // the last nodes along an axis begin no cells
            field.cellMask[brick * kBrickEdge + std::size_t(z)] =
                (brick >> 2) == 1 && z == 7
                    ? 0
                    : ((brick & 1) != 0 ? 0x7f7f7f7f7f7f7f7fu : ~std::uint64_t{0}) &
                          ((brick >> 1 & 1) != 0 ? ~std::uint64_t{0} >> 8 : ~std::uint64_t{0});
    }
    field.values[5 * kBrickNodes + 3] = std::nanf("");
    return field;
}

/// Returns a description of the first difference from the CPU's results; empty if there is none.
std::string firstDifference(const SyclDevice& device) {
    const std::vector<Vec3f> points = somePoints();
    VoxelizeParams params;
    params.rangeMin = {0, 0, 0};
    params.rangeMax = {4, 4, 4};
    params.voxelSize = {0.1f, 0.1f, 0.1f};
    const PointsView view{points.data(), points.size(), {}};
    const VoxelGrid voxels = cpu::voxelize(view, params, {}), b = device.voxelize(view, params, {});
    if (!same(voxels.keys, b.keys) || !same(voxels.counts, b.counts) || !same(voxels.means, b.means) ||
        !same(voxels.pointVoxel, b.pointVoxel) || !(voxels.stats == b.stats))
        return "voxels";
    for (const FieldKind kind : {FieldKind::density, FieldKind::signedDistance}) {
        const FieldParams of{kind, 0, {}};
        const ScalarField c = cpu::computeField(voxels, of, {}), d = device.computeField(voxels, of, {}, {});
        if (!same(c.brickKeys, d.brickKeys) || !same(c.values, d.values) || !same(c.cellMask, d.cellMask) ||
            c.minValue != d.minValue || c.maxValue != d.maxValue || c.normalsGuessed != d.normalsGuessed)
            return "values of a field";
    }
    const ScalarField field = ball();
    const TriangleMesh mesh = cpu::extractSurface(field, 0, {}), other = device.extractSurface(field, 0, {});
    if (!same(mesh.indices, other.indices))
        return "triangles of a surface";
    if (!same(mesh.positions, other.positions))
        return "positions of a surface's vertices";
    if (!same(mesh.normals, other.normals))
        return "normals of a surface";
    if (mesh.activeCells != other.activeCells || mesh.zeroAreaTriangles != other.zeroAreaTriangles)
        return "numbers of cells";
    RasterScene scene;
    scene.mesh = &mesh;
    scene.voxels = &voxels;
    scene.points = points;
    scene.pointSize = 2;
    Camera camera;
    camera.eye = {5, -4, 3};
    camera.target = {1, 1, 0};
    const Projection projection(camera, 64, 48);
    RasterStats stats;
    const VisibilityBuffer seen = cpu::rasterize(scene, projection, stats, {});
    if (!same(seen.pixels, device.rasterize(scene, projection, stats, {}).pixels))
        return "pixels of a picture";
    return same(cpu::resolve(seen, scene, projection, {}, {}).pixels,
                device.resolve(seen, scene, projection, {}, {}).pixels)
               ? ""
               : "colours of a picture";
}

} // namespace

std::string failureOfSelfTest(const SyclDevice& device) {
    try {
        if (const std::string other = firstDifference(device); !other.empty())
            return "It computes other " + other +
                   " than the CPU, so it is not used: update its driver or its SYCL.";
    } catch (const std::exception& error) {
        return std::string("It fails: ") + error.what() + ".";
    }
    return {};
}

} // namespace scanloupe
