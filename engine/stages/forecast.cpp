// Compares the memory of each stage with what is available, and suggests parameters that fit.
#include "engine/stages/forecast.h"

#include "engine/cloud/categories.h"
#include "engine/compute/memory.h"
#include "engine/compute/stage_memory.h"
#include "engine/picture/picture_bands.h"
#include "engine/stages/attributes.h"
#include "kernels/mesh/cleanup/edge_table.h"
#include "kernels/mesh/distance/bvh.h"
#include "kernels/mesh/distance/triangle_search.h"

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
    return fmt::format("Take a voxel size of {:.2g} or more (--voxel-size), or a smaller range (--range).",
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

/// Estimates the cells that the surface crosses from those within some of the bricks.
std::uint64_t crossedCells(const ScalarField& field, float iso) {
    constexpr std::size_t most = 2048; // bricks: some milliseconds
    constexpr int row = kBrickEdge, layer = kBrickEdge * kBrickEdge;
    const std::size_t stride = std::max<std::size_t>(1, field.brickCount() / most);
    std::uint64_t crossed = 0, looked = 0;
    for (std::size_t b = 0; b < field.brickCount(); b += stride) {
        const float* values = field.values.data() + b * kBrickNodes;
        for (int z = 0; z + 1 < kBrickEdge; ++z)
            for (int y = 0; y + 1 < kBrickEdge; ++y)
                for (int x = 0; x + 1 < kBrickEdge; ++x) {
                    const float* at = values + z * layer + y * row + x;
                    int inside = 0;
                    for (const int corner :
                         {0, 1, row, row + 1, layer, layer + 1, layer + row, layer + row + 1})
                        inside += at[corner] > iso;
                    crossed += inside > 0 && inside < 8;
                }
        ++looked;
    }
    constexpr double cellsOfBrick = kBrickNodes, cellsLookedAt = (row - 1) * (row - 1) * (row - 1);
    constexpr double margin = 1.2; // bricks differ
    return std::uint64_t(double(crossed) * margin * cellsOfBrick / cellsLookedAt *
                         double(field.brickCount()) / double(std::max<std::uint64_t>(looked, 1)));
}

std::string voxelSizeText(const RunContext& run) {
    const Vec3d size = *run.recipe->voxelSize;
    return size.x == size.y && size.y == size.z ? fmt::format("{:g}", size.x)
                                                : fmt::format("{:g} x {:g} x {:g}", size.x, size.y, size.z);
}

} // namespace

void requireVoxelizeMemory(const RunContext& run, std::uint64_t points, const VoxelizeParams& params) {
    const auto cells = gridShape(params).cellCount();
    AttributeCounts attributes;
    for (const Attribute* attribute : attributesLookedAt(*run.recipe, *run.cloud))
        ++(isCategorical(*attribute) ? attributes.categories : attributes.numbers);
    const std::uint64_t bytes =
        voxelizeMemory(points, std::min<std::uint64_t>(points, cells), attributes).peak;
    require(run, {fmt::format("Voxelizing {} points", points), bytes,
                  "Close other programs, take fewer points, or a smaller range (--range)."});
}

void requireHostPointsMemory(const RunContext& run, std::uint64_t points) {
    require(run, {fmt::format("The coordinates of {} points", points), hostPointsMemory(points).peak,
                  "Close other programs, or take fewer points."});
}

void requireFieldMemory(const RunContext& run, const VoxelGrid& voxels, std::uint64_t bricks) {
    const std::uint64_t bytes = fieldMemory(voxels.size(), bricks).peak;
    if (!isShort(run, bytes))
        return;
    require(run, {fmt::format("The field of {} bricks at a voxel size of {}", bricks, voxelSizeText(run)),
                  bytes, fittingVoxels(run, voxels, bytes)});
}

std::uint64_t mostBricks(const RunContext& run) {
    return available(run) / (2 * sculptMemory(1).peak); // while a second batch of strokes is applied
}

void requireExtractMemory(const RunContext& run, const ScalarField& field, const Execution& on) {
    std::uint64_t cells = 0;
    for (const std::uint64_t word : field.cellMask.span())
        cells += std::uint64_t(std::popcount(word));
    // a closed surface has about one vertex and two triangles for each cell that it crosses
    const auto bytesFor = [&](std::uint64_t crossed) {
        return extractMemory(field.brickCount(), {crossed, 2 * crossed}, on.bySycl()).peak;
    };
    if (!isShort(run, bytesFor(cells)))
        return;
    // those of a signed distance are the ones that it crosses, until brushes work on it
    if (field.kind != FieldKind::signedDistance || isWanted(Stage::sculpt, *run.recipe, run.isVolume()))
        cells = std::min(cells, crossedCells(field, float(*run.recipe->iso)));
    const std::uint64_t bytes = bytesFor(cells);
    if (!isShort(run, bytes))
        return;
    if (on.bySycl())
        throw DeviceMemoryShort(fmt::format("not enough memory for a surface through {} cells", cells),
                                "Take the CPU.");
    require(run, {fmt::format("A surface through {} cells", cells), bytes,
                  run.volume ? "Close other programs." : largerVoxels(run, bytes)});
}

void requireCleanMemory(const RunContext& run, const TriangleMesh& mesh) {
    const std::uint64_t triangles = mesh.triangleCount();
    const std::uint64_t bytes = cleanMemory({mesh.vertexCount(), triangles}, run.recipe->decimateTo).peak;
    require(run, {fmt::format("Clean-up of {} triangles", triangles), bytes,
                  "Leave it out (--min-component-triangles 0 --decimate-to 0), or take a larger voxel size "
                  "(--voxel-size)."});
}

void requireDistanceMemory(const RunContext& run, std::uint64_t points) {
    require(run, {fmt::format("A search among {} points", points), distancesMemory(points, 0).peak,
                  "Colour by something else (--colour-by), or take a smaller range (--range)."});
}

void requireQualityMemory(const RunContext& run, const TriangleMesh& mesh, std::uint64_t points) {
    const std::uint64_t vertices = mesh.vertexCount(), triangles = mesh.triangleCount();
    const std::uint64_t topology = EdgeTable::bytesFor(vertices, triangles) + vertices * 5;
    const std::uint64_t distances = points > 0 ? Bvh::bytesFor(triangles) +
                                                     cpu::TriangleSearch::bytesFor(triangles) +
                                                     points * (sizeof(Vec3f) + sizeof(float))
                                               : 0;
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
