#include "kernels/core/parallel.h"
#include "kernels/field/distance_cells.h"
#include "kernels/field/field_cell.h"
#include "kernels/field/field_kinds.h"
#include "kernels/field/surfels.h"
#include "kernels/field/voxel_block.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scanloupe::cpu {

namespace {

/// Gathers the tangent planes around the nodes of one brick at a time. Voxels are added in the order z, y, x,
/// so that each node's sum has a fixed order.
class DistanceGatherer {
public:
    DistanceGatherer(const VoxelGrid& voxels, const VoxelBricks& bricks, std::span<const Vec3f> normals,
                     const FieldLayout& layout)
        : m_voxels(voxels), m_normals(normals), m_layout(layout), m_block(bricks, layout.nodes.reach),
          m_inverse(inverseSquares(layout.nodes.radius)) {}

    /// `nodes`: the 8 words of nodes that are wanted. Fills 512 `values`.
    void run(Vec3i firstNode, const std::uint32_t* around, const std::uint64_t* nodes, float* values) {
        m_block.load(around);
        m_sums.fill({});
        const Vec3f first = m_layout.lattice.position(firstNode);
        for (const BlockVoxel& v : m_block.voxels()) {
            const Vec3f mean{m_voxels.mean(0)[v.voxel], m_voxels.mean(1)[v.voxel], m_voxels.mean(2)[v.voxel]};
            add(mean - first, m_normals[v.voxel], trust(m_voxels.counts[v.voxel]), nodes);
        }
        for (std::size_t i = 0; i < kBrickNodes; ++i) {
            const bool known = (nodes[i / 64] >> (i % 64) & 1) != 0 && isSupported(m_sums[i]);
            values[i] =
                known ? m_sums[i].distance / m_sums[i].weight : std::numeric_limits<float>::quiet_NaN();
        }
    }

private:
    void add(Vec3f middle, Vec3f normal, float weight, const std::uint64_t* nodes) {
        const Vec3f edge = m_layout.lattice.spacing, radius = m_layout.nodes.radius;
        Vec3i low, high; // nodes whose support holds the mean
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = std::max(0, static_cast<int>(std::ceil((middle[axis] - radius[axis]) / edge[axis])));
            high[axis] = std::min(kBrickEdge - 1,
                                  static_cast<int>(std::floor((middle[axis] + radius[axis]) / edge[axis])));
        }
        for (int z = low.z; z <= high.z; ++z) {
            for (int y = low.y; y <= high.y; ++y) {
                if ((nodes[z] >> kBrickEdge * y & 0xff) == 0)
                    continue;
                const float dz = static_cast<float>(z) * edge.z - middle.z;
                const float dy = static_cast<float>(y) * edge.y - middle.y;
                PlaneSum* row = &m_sums[static_cast<std::size_t>((z * kBrickEdge + y) * kBrickEdge)];
                for (int x = low.x; x <= high.x; ++x) {
                    const float dx = static_cast<float>(x) * edge.x - middle.x;
                    addPlane(row[x], {dx, dy, dz}, normal, weight, m_inverse);
                }
            }
        }
    }
    const VoxelGrid& m_voxels;
    std::span<const Vec3f> m_normals;
    const FieldLayout& m_layout;
    VoxelBlock m_block;
    Vec3f m_inverse;
    std::array<PlaneSum, kBrickNodes> m_sums;
};

} // namespace

void fillSignedDistance(const VoxelGrid& voxels, const VoxelBricks& bricks, const FieldLayout& layout,
                        const NormalSource& normals, ScalarField& field, const std::stop_token& stop) {
    Surfels surfels;
    {
        const auto around = findNeighbours(bricks.keys.span(), bricks.keys.span(), bricks.brickDims, stop);
        surfels = makeSurfels(voxels, bricks, around.span(), layout.normals, normals, stop);
    }
    field.normalsGuessed = surfels.guessed;
    DistanceCells cells = distanceCells(bricks, voxels.shape.dims, stop);
    field.brickKeys = std::move(cells.keys);
    field.cellMask = std::move(cells.cells);
    field.values = Buffer<float>::host(field.brickCount() * kBrickNodes);
    const auto around = findNeighbours(field.brickKeys.span(), bricks.keys.span(), field.brickDims, stop);
    parallelFor(field.brickCount(), 16, stop, [&](std::size_t begin, std::size_t end) {
        DistanceGatherer gatherer(voxels, bricks, surfels.normals.span(), layout);
        for (std::size_t b = begin; b < end; ++b)
            gatherer.run(brickOf(field.brickKeys[b], field.brickDims) * kBrickEdge, &around[b * kNeighbours],
                         &cells.nodes[b * kBrickEdge], &field.values[b * kBrickNodes]);
    });
    closePinholes(field, cells.occupied, stop);
}

} // namespace scanloupe::cpu
