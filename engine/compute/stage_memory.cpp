// Computes the memory of stages from the buffers that they allocate.
#include "engine/compute/stage_memory.h"

#include "kernels/core/parallel.h"
#include "kernels/field/core/scalar_field.h"
#include "kernels/mesh/distance/bvh.h"

#include <algorithm>

namespace scanloupe {

namespace {

constexpr std::uint64_t kPerVoxel = sizeof(std::uint64_t) + sizeof(std::uint32_t) + 3 * sizeof(float);
constexpr std::uint64_t kPerBrick =
    kBrickNodes * sizeof(float) + kBrickEdge * sizeof(std::uint64_t) + sizeof(std::uint64_t);

} // namespace

std::uint64_t MeshSize::bytes() const {
    return vertices * 2 * sizeof(Vec3f) + triangles * 3 * sizeof(std::uint32_t);
}

StageMemory hostPointsMemory(std::uint64_t points) {
    return {points * sizeof(Vec3f), points * sizeof(Vec3f)};
}

StageMemory voxelizeMemory(std::uint64_t points, std::uint64_t voxels, const AttributeCounts& attributes) {
    // 1. points are sorted: items and scratch, a key and an index each, and the rank of each point
    const std::uint64_t sorting = points * (2 * 2 * sizeof(std::uint64_t) + sizeof(std::uint32_t));
    // 2. points are averaged: their ranks and ids; keys, sums and results of voxels
    const std::uint64_t averaging = points * 2 * sizeof(std::uint32_t) +
                                    voxels * (4 * sizeof(std::uint64_t) + sizeof(std::uint64_t) + kPerVoxel);
    // 3. attributes, one after another: sums and means of numbers; codes of classes, points and scratch
    // sorted by voxel, and the starts of voxels
    const std::uint64_t held = points * sizeof(std::uint32_t) + voxels * kPerVoxel +
                               (attributes.numbers + attributes.categories) * voxels * sizeof(float) +
                               attributes.categories * points * sizeof(std::uint32_t);
    std::uint64_t most = attributes.numbers > 0 ? voxels * sizeof(std::uint64_t) : 0;
    if (attributes.categories > 0)
        most = std::max(most, points * 2 * 2 * sizeof(std::uint32_t) + voxels * sizeof(std::uint32_t));
    return {held, std::max({sorting, averaging, held + most})};
}

StageMemory fieldMemory(std::uint64_t voxels, std::uint64_t bricks) {
    // voxels grouped by brick; of the signed distance also their normals, sides and neighbours
    constexpr std::uint64_t perVoxel = 96;
    // the bricks around each in two lists; masks of cells and nodes, and of those that close pinholes
    constexpr std::uint64_t perBrick =
        2 * 27 * sizeof(std::uint32_t) + 7 * kBrickEdge * sizeof(std::uint64_t);
    return {bricks * kPerBrick, bricks * (kPerBrick + perBrick) + voxels * perVoxel};
}

StageMemory sculptMemory(std::uint64_t bricks) {
    // its key, and where it is copied from
    return {bricks * kPerBrick, bricks * (kPerBrick + sizeof(std::uint64_t) + sizeof(std::uint32_t))};
}

StageMemory extractMemory(std::uint64_t bricks, const MeshSize& mesh, bool bySycl) {
    if (bySycl) {
        // nodes, cells and edges as words of slices, neighbours, two lists of bricks, counts of vertices (a
        // byte a word, then sums), cells and triangles (of slices and of rows), and of the brick
        constexpr std::uint64_t perBrick = 6 * kBrickEdge * sizeof(std::uint64_t) +
                                           29 * sizeof(std::uint32_t) + (3 + 6 + 1) * sizeof(std::uint64_t) +
                                           kBrickEdge * sizeof(std::uint16_t) + kBrickEdge * kBrickEdge + 32;
        // the crossed edges, then the triangles
        const std::uint64_t list = std::max(mesh.vertices, mesh.triangles) * sizeof(std::uint64_t);
        return {mesh.bytes(), mesh.bytes() + list + bricks * perBrick};
    }
    // masks of the edges along three axes, counts, offsets, neighbours and the list of active bricks
    constexpr std::uint64_t perBrick =
        3 * kBrickEdge * sizeof(std::uint64_t) + 27 * sizeof(std::uint32_t) + 6 * sizeof(std::uint64_t) + 96;
    return {mesh.bytes(), mesh.bytes() + bricks * perBrick};
}

StageMemory cleanMemory(const MeshSize& mesh, std::uint64_t decimateTo) {
    // both steps: a parent, a size or a cube for each vertex, and the new indices; then the new mesh
    std::uint64_t bytes = mesh.vertices * (2 * sizeof(std::uint32_t) + 2 * sizeof(std::uint64_t)) +
                          mesh.triangles * sizeof(std::uint64_t) + mesh.bytes();
    if (decimateTo > 0) {
        // the corners by their clusters, and the triangles that touch each cluster
        bytes += mesh.triangles * 3 * (sizeof(std::uint32_t) + sizeof(std::uint64_t));
        // the sorted half-edges of the coarse mesh, with their opposites and fans
        bytes += std::min(decimateTo, mesh.triangles) * 3 * (2 * sizeof(KeyIndex) + 16);
    }
    return {mesh.bytes(), bytes};
}

StageMemory distancesMemory(std::uint64_t points, std::uint64_t vertices) {
    const std::uint64_t search = Bvh::bytesFor(points) + points * sizeof(Vec3f);
    return {search + vertices * sizeof(float), search + vertices * sizeof(float)};
}

} // namespace scanloupe
