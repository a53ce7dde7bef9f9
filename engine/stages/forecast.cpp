// Estimates the peak memory of each stage, and suggests parameters that fit.
#include "engine/stages/forecast.h"

#include "engine/cloud/categories.h"
#include "engine/compute/memory.h"
#include "engine/picture/picture_bands.h"
#include "engine/stages/attributes.h"
#include "kernels/core/parallel.h"
#include "kernels/mesh/cleanup/edge_table.h"
#include "kernels/mesh/distance/bvh.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace scanloupe {

namespace {

std::uint64_t available(const RunContext& run) {
    return run.memoryLimit > 0 ? run.memoryLimit : availableHostMemory();
}

bool isShort(const RunContext& run, std::uint64_t bytes) {
    constexpr std::uint64_t small = std::uint64_t{64} << 20; // not worth a look at the system, 0.1 ms
    return (run.memoryLimit > 0 || bytes > small) && bytes > available(run);
}

/// @throws as requireMemory
void require(const RunContext& run, const MemoryNeed& need) {
    if (isShort(run, need.bytes))
        requireMemory(need, available(run));
}

std::string takeVoxelSize(double size) {
    return fmt::format("Take a voxel size of {:.2g} m or more (--voxel-size), or a smaller range (--range).",
                       size);
}

double smallestEdge(const RunContext& run) {
    const Vec3d size = *run.recipe->voxelSize;
    return std::min({size.x, size.y, size.z});
}

/// Suggests a voxel size for a surface, whose memory grows with the inverse square of the voxel size.
std::string largerVoxels(const RunContext& run, std::uint64_t bytes) {
    const double factor = std::sqrt(double(bytes) / double(std::max<std::uint64_t>(available(run), 1))) * 1.1;
    return takeVoxelSize(smallestEdge(run) * factor);
}

/// The number of bricks that would hold these voxels with edges `factor` times as long, not counting a
/// border.
std::size_t occupiedBricks(const VoxelGrid& voxels, double factor) {
    const double edge = kBrickEdge * factor;
    std::vector<std::uint64_t> bricks(voxels.size());
    for (std::size_t v = 0; v < bricks.size(); ++v) {
        const Vec3i cell = voxels.shape.cell(voxels.keys[v]);
        const auto along = [&](int axis) { return std::uint64_t(double(cell[axis]) / edge); };
        bricks[v] = along(0) | along(1) << 21 | along(2) << 42; // coordinates of bricks fit into 21 bits
    }
    std::sort(bricks.begin(), bricks.end());
    return std::size_t(std::unique(bricks.begin(), bricks.end()) - bricks.begin());
}

/// Suggests a voxel size at which the field would fit. Scattered voxels have a brick each until they share
/// one, so that bricks are counted, not extrapolated.
std::string fittingVoxels(const RunContext& run, const VoxelGrid& voxels, std::uint64_t bytes) {
    const double wanted = 0.7 * double(available(run)) / double(bytes) * double(occupiedBricks(voxels, 1));
    double factor = 1.2;
    while (double(occupiedBricks(voxels, factor)) > wanted && factor < 1e6)
        factor *= 1.25;
    return takeVoxelSize(smallestEdge(run) * factor);
}

std::string voxelSizeText(const RunContext& run) {
    const Vec3d size = *run.recipe->voxelSize;
    return size.x == size.y && size.y == size.z ? fmt::format("{:g} m", size.x)
                                                : fmt::format("{:g} x {:g} x {:g} m", size.x, size.y, size.z);
}

} // namespace

void requireVoxelizeMemory(const RunContext& run, std::uint64_t points, const VoxelizeParams& params) {
    const auto cells = gridShape(params).cellCount();
    const std::uint64_t voxels = std::min<std::uint64_t>(points, cells);
    // 1. points are sorted: items and scratch, a key and an index each, and the rank of each point
    const std::uint64_t sorting = points * (2 * 2 * sizeof(std::uint64_t) + sizeof(std::uint32_t));
    // 2. points are averaged: their ranks and ids; keys, sums and results of voxels
    const std::uint64_t result = sizeof(std::uint64_t) + sizeof(std::uint32_t) + 3 * sizeof(float);
    const std::uint64_t averaging = points * 2 * sizeof(std::uint32_t) +
                                    voxels * (4 * sizeof(std::uint64_t) + sizeof(std::uint64_t) + result);
    // 3. attributes that are looked at, one after another: sums and means of numbers; codes of classes,
    // points and scratch sorted by voxel, and the starts of voxels
    std::uint64_t held = points * sizeof(std::uint32_t) + voxels * result, most = 0;
    for (const Attribute* attribute : attributesLookedAt(*run.recipe, *run.cloud)) {
        const bool hasClasses = isCategorical(*attribute);
        held += voxels * sizeof(float) + (hasClasses ? points * sizeof(std::uint32_t) : 0);
        most = std::max(most, hasClasses
                                  ? points * 2 * 2 * sizeof(std::uint32_t) + voxels * sizeof(std::uint32_t)
                                  : voxels * sizeof(std::uint64_t));
    }
    const std::uint64_t bytes = std::max({sorting, averaging, held + most});
    require(run, {fmt::format("Voxelizing {} points", points), bytes,
                  "Close other programs, take fewer points, or a smaller range (--range)."});
}

void requireHostPointsMemory(const RunContext& run, std::uint64_t points) {
    require(run, {fmt::format("The coordinates of {} points", points), points * sizeof(Vec3f),
                  "Close other programs, or take fewer points."});
}

void requireFieldMemory(const RunContext& run, const VoxelGrid& voxels, std::uint64_t bricks) {
    constexpr std::uint64_t perBrick = kBrickNodes * sizeof(float) // values
                                       + 2 * kBrickEdge * sizeof(std::uint64_t) + sizeof(std::uint64_t);
    const std::uint64_t bytes = bricks * perBrick;
    if (!isShort(run, bytes))
        return;
    require(run, {fmt::format("The field of {} bricks at a voxel size of {}", bricks, voxelSizeText(run)),
                  bytes, fittingVoxels(run, voxels, bytes)});
}

void requireExtractMemory(const RunContext& run, const ScalarField& field) {
    std::uint64_t cells = 0;
    for (const std::uint64_t word : field.cellMask.span())
        cells += std::uint64_t(std::popcount(word));
    // a closed surface has about one vertex and two triangles for each cell that it crosses
    const std::uint64_t perCell = 2 * sizeof(Vec3f) + 6 * sizeof(std::uint32_t);
    // the cell masks of other fields include cells off the surface
    const bool crossesAll = field.kind == FieldKind::signedDistance;
    const std::uint64_t bytes = (crossesAll ? cells : cells / 4) * perCell;
    if (!isShort(run, bytes))
        return;
    require(run, {fmt::format("A surface through {} cells", cells), bytes,
                  run.volume ? "Close other programs." : largerVoxels(run, bytes)});
}

void requireCleanMemory(const RunContext& run, const TriangleMesh& mesh) {
    const std::uint64_t vertices = mesh.vertexCount(), triangles = mesh.triangleCount();
    // both steps: a parent, a size or a cube for each vertex, and the new indices; then the new mesh
    std::uint64_t bytes = vertices * (2 * sizeof(std::uint32_t) + 2 * sizeof(std::uint64_t)) +
                          triangles * sizeof(std::uint64_t) + mesh.bytes();
    if (run.recipe->decimateTo > 0) {
        // the corners by their clusters, and the triangles that touch each cluster
        bytes += triangles * 3 * (sizeof(std::uint32_t) + sizeof(std::uint64_t));
        // the sorted half-edges of the coarse mesh, with their opposites and fans
        bytes += std::min(run.recipe->decimateTo, triangles) * 3 * (2 * sizeof(KeyIndex) + 16);
    }
    require(run, {fmt::format("Clean-up of {} triangles", triangles), bytes,
                  "Leave it out (--min-component-triangles 0 --decimate-to 0), or take a larger voxel size "
                  "(--voxel-size)."});
}

void requireDistanceMemory(const RunContext& run, std::uint64_t points) {
    require(run,
            {fmt::format("A search among {} points", points), Bvh::bytesFor(points) + points * sizeof(Vec3f),
             "Colour by something else (--colour-by), or take a smaller range (--range)."});
}

void requireQualityMemory(const RunContext& run, const TriangleMesh& mesh, std::uint64_t points) {
    const std::uint64_t vertices = mesh.vertexCount(), triangles = mesh.triangleCount();
    const std::uint64_t topology = EdgeTable::bytesFor(vertices, triangles) + vertices * 5;
    const std::uint64_t distances =
        points > 0 ? Bvh::bytesFor(triangles) + points * (sizeof(Vec3f) + sizeof(float)) : 0;
    require(run,
            {fmt::format("The quality figures of {} triangles", triangles), std::max(topology, distances),
             "Leave them out (--quality off), or take a larger voxel size (--voxel-size)."});
}

void requireDownloadMemory(const RunContext& run, std::uint64_t bytes) {
    require(run, {"A copy of what the device has made", bytes,
                  "Take a larger voxel size (--voxel-size), or a smaller range (--range)."});
}

void requirePictureMemory(const RunContext& run, int samples) {
    const std::uint64_t pixels = std::uint64_t(run.recipe->imageWidth) * run.recipe->imageHeight;
    const bool averaged = !run.volume && run.recipe->show == PictureContent::points &&
                          run.recipe->points == PointBlend::averaged;
    require(run, {fmt::format("A picture of {} x {} pixels", run.recipe->imageWidth, run.recipe->imageHeight),
                  pictureBytes(pixels, samples, averaged), "Take a smaller picture (--size)."});
}

} // namespace scanloupe
