// Removes reversed cells of a signed distance on the device. A thread processes the crossed cells of one
// slice.
#include "kernels/field/distance/cuda_distance_cells.cuh"
#include "kernels/field/distance/reversed_element.h"

namespace scanloupe::cuda {

namespace {

struct ReversedView {
    BricksView bricks;
    KeptView kept;
    const float4* normals;       ///< [V] normal of each voxel
    const float* values;         ///< [kept bricks, 512] distance at each node, metres
    const std::uint64_t* known;  ///< [B, 8] nodes that have a value
    const std::uint64_t* inside; ///< [B, 8] nodes that are inside
    Vec3f inverse;               ///< 1 / edge length of a cell, per axis

    __device__ float valueAt(const std::uint32_t* around, Vec3i node) const {
        const std::uint32_t brick = around[neighbourSlot(node.x >> 3, node.y >> 3, node.z >> 3)];
        return values[kept.place(brick) * kBrickNodes +
                      static_cast<std::size_t>(((node.z & 7) * kBrickEdge + (node.y & 7)) * kBrickEdge +
                                               (node.x & 7))];
    }
    __device__ void addNormals(std::size_t brick, int y, int z, int x, std::uint32_t window,
                               Vec3f& sum) const {
        const VoxelRun run = bricks.row(brick, y, z).within(x, window);
        for (int i = 0; i < run.count(); ++i) {
            const float4 normal = normals[run.first + static_cast<std::uint32_t>(i)];
            sum = sum + Vec3f{normal.x, normal.y, normal.z};
        }
    }
    __device__ Vec3f normalAt(std::size_t brick, Vec3i cell) const {
        Vec3f sum;
        const BrickRow row = bricks.row(brick, cell.y, cell.z);
        if (row.within(cell.x, 1u).bits != 0) {
            addNormals(brick, cell.y, cell.z, cell.x, 1u, sum);
            return sum;
        }
        for (int dz = -1; dz <= 1; ++dz)
            for (int dy = -1; dy <= 1; ++dy)
                addNormals(brick, cell.y + dy, cell.z + dz, cell.x - 1, 7u, sum);
        return sum;
    }
};

__global__ void removeReversed(ReversedView view, std::uint64_t* cellMask) {
    const Slice slice(view.bricks);
    if (!slice.isThere(view.bricks) || !view.kept.has(slice.brick))
        return;
    std::uint64_t& mask =
        cellMask[view.kept.place(slice.brick) * kBrickEdge + static_cast<std::size_t>(slice.z)];
    std::uint64_t cells = mask;
    if (cells == 0)
        return;
    const CornerBits lower = nodesOfCells(view.inside, slice.around, slice.z),
                     upper = nodesOfCells(view.inside, slice.around, slice.z + 1);
    cells &= all(nodesOfCells(view.known, slice.around, slice.z)) &
             all(nodesOfCells(view.known, slice.around, slice.z + 1)) & (any(lower) | any(upper)) &
             ~(all(lower) & all(upper));
    std::uint64_t reversed = 0;
    for (; cells != 0; cells &= cells - 1) {
        const int bit = __ffsll(static_cast<long long>(cells)) - 1;
        const Vec3i cell{bit % kBrickEdge, bit / kBrickEdge, slice.z};
        float corners[8];
        for (int i = 0; i < 8; ++i)
            corners[i] = view.valueAt(slice.around, cell + Vec3i{i & 1, i >> 1 & 1, i >> 2});
        if (isReversed(cellSlope(corners, view.inverse), view.normalAt(slice.brick, cell)))
            reversed |= std::uint64_t{1} << bit;
    }
    mask &= ~reversed;
}

} // namespace

void removeReversedCells(const FieldJob& job, const BricksView& bricks, const FieldCells& cells,
                         const NodeBits& nodes, const float4* normals, const float* values,
                         std::uint64_t* cellMask) {
    const Vec3f edge = job.layout.lattice.spacing;
    launch("removeReversed", bricks.count * kBrickEdge, job.stream, removeReversed,
           ReversedView{bricks,
                        cells.kept(),
                        normals,
                        values,
                        nodes.known.data(),
                        nodes.inside.data(),
                        {1 / edge.x, 1 / edge.y, 1 / edge.z}},
           cellMask);
}

} // namespace scanloupe::cuda
