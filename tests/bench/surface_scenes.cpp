#include "tests/bench/surface_scenes.h"

#include "kernels/core/parallel.h"
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/voxelize/core/voxel_grid.h"
#include "tests/bench/voxelize_scenes.h"
#include "tests/support/bench_scenes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scanloupe::bench {

SurfaceScene denseScene(const std::string& name, int edge) {
    SurfaceScene scene;
    scene.name = name;
    scene.edge = edge;
    const bool spheres = name == "spheres";
    scene.values = spheres ? test::spheresField(edge) : test::gyroidField(edge);
    scene.field =
        cpu::volumeField(scene.values, {{0, 0, 0}, {1, 1, 1}, {edge, edge, edge}}, false, spheres, {});
    return scene;
}

SurfaceScene shellScene(int edge) {
    SurfaceScene scene;
    scene.name = "shell";
    scene.edge = edge;
    const double radius = 0.4 * edge, middle = 0.5 * (edge - 1);
    const auto distance = [&](Vec3d p) { return norm(p - Vec3d{middle, middle, middle}) - radius; };
    ScalarField& field = scene.field;
    field.insideBelow = true;
    field.kind = FieldKind::volume;
    field.lattice = {{0, 0, 0}, {1, 1, 1}, {edge, edge, edge}};
    field.brickDims = coveringBricks(field.lattice.dims);
    const Vec3i dims = field.brickDims;
    // the corners of a brick are closer to its centre than this: 6.1 nodes
    constexpr double reach = kBrickEdge;
    std::vector<std::uint64_t> keys;
    for (int z = 0; z < dims.z; ++z)
        for (int y = 0; y < dims.y; ++y) { // a row intersects the shell in at most two stretches
            const Vec3d first = (Vec3i{0, y, z} * kBrickEdge).as<double>() + Vec3d{3.5, 3.5, 3.5};
            const double across = std::hypot(first.y - middle, first.z - middle);
            const double outer = radius + reach, inner = radius - reach;
            if (across > outer)
                continue;
            const double far = std::sqrt(outer * outer - across * across),
                         near = across < inner ? std::sqrt(inner * inner - across * across) : 0;
            for (int x = 0; x < dims.x; ++x) {
                const double away = std::abs(first.x + kBrickEdge * x - middle);
                if (away <= far && away >= near)
                    keys.push_back(brickKey({x, y, z}, dims));
            }
        }
    field.brickKeys = hostCopy(std::span<const std::uint64_t>(keys));
    field.values = Buffer<float>::host(keys.size() * kBrickNodes);
    field.cellMask = Buffer<std::uint64_t>::host(keys.size() * kBrickEdge);
    // all cells are marked, although only some intersect the shell
    std::fill_n(field.cellMask.data(), field.cellMask.size(), ~std::uint64_t{0});
    parallelFor(keys.size(), 256, {}, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b) {
            const Vec3i brick = brickOf(keys[b], dims) * kBrickEdge;
            for (int i = 0; i < kBrickNodes; ++i)
                field.values[b * kBrickNodes + static_cast<std::size_t>(i)] = static_cast<float>(distance(
                    (brick + Vec3i{i % kBrickEdge, i / kBrickEdge % kBrickEdge, i / kBrickEdge / kBrickEdge})
                        .as<double>()));
        }
    });
    return scene;
}

SurfaceScene sweepScene(const std::filesystem::path& file) {
    const HostCloud cloud = readFrame(file);
    VoxelizeParams params{{-54, -54, -5}, {54, 54, 3}, {0.1f, 0.1f, 0.1f}};
    params.pointVoxels = false;
    const VoxelGrid voxels = cpu::voxelize({cloud.positions.data(), cloud.positions.size(), {}}, params, {});
    FieldParams how;
    how.kind = FieldKind::signedDistance;
    how.normals.sensor = Vec3f{0, 0, 0};
    SurfaceScene scene;
    scene.name = "sweep";
    scene.field = cpu::computeField(voxels, how, {});
    return scene;
}

} // namespace scanloupe::bench
