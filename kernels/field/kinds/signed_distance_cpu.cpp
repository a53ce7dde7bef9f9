// Computes the signed distance on the CPU: first cells, then normals, then the distances of each node to
// nearby tangent planes.
#include "kernels/core/parallel.h"
#include "kernels/field/core/field_element.h"
#include "kernels/field/core/node_bits.h"
#include "kernels/field/core/voxel_block.h"
#include "kernels/field/distance/distance_cells.h"
#include "kernels/field/distance/distance_memory.h"
#include "kernels/field/distance/reversed_cells.h"
#include "kernels/field/kinds/field_kinds.h"
#include "kernels/field/surfels/surfels.h"

#include <limits>
#include <numeric>
#include <vector>

namespace scanloupe::cpu {

namespace {

/// Sums the distances to tangent planes for the nodes of one brick at a time. Voxels are added in the order
/// z, y, x, so each node's sum has a fixed order.
class DistanceGatherer {
public:
    DistanceGatherer(const VoxelGrid& voxels, const VoxelBricks& bricks, std::span<const Vec3f> normals,
                     const FieldLayout& layout)
        : m_voxels(voxels), m_normals(normals), m_layout(layout), m_block(bricks, layout.nodes.reach),
          m_inverse(inverseSquares(layout.nodes.radius)) {}

    /// Computes the distances at the nodes of a brick. @param nodes [8] words of the wanted nodes @param
    /// values [512] output, metres; NaN for nodes without a value
    void run(Vec3i firstNode, const std::uint32_t* around, const std::uint64_t* nodes, float* values) {
        m_block.load(around);
        m_sums.fill({});
        const Vec3f first = m_layout.lattice.position(firstNode);
        for (const BlockVoxel& v : m_block.voxels()) {
            const Vec3f mean{m_voxels.mean(0)[v.voxel], m_voxels.mean(1)[v.voxel], m_voxels.mean(2)[v.voxel]};
            add(v, mean - first, m_normals[v.voxel], confidence(m_voxels.counts[v.voxel]), nodes);
        }
        for (std::size_t i = 0; i < kBrickNodes; ++i) {
            const bool wanted = (nodes[i / 64] >> (i % 64) & 1) != 0;
            values[i] = wanted ? distanceOf(m_sums[i]) : std::numeric_limits<float>::quiet_NaN();
        }
    }

private:
    void add(const BlockVoxel& v, Vec3f middle, Vec3f normal, float weight, const std::uint64_t* nodes) {
        const Vec3f edge = m_layout.lattice.spacing;
        const Vec3i at{v.x, v.y, v.z}, reach = m_layout.nodes.reach;
        // bounds of the nodes whose support may contain the mean
        const Vec3i low = max(at - reach + Vec3i{1, 1, 1}, Vec3i{});
        const Vec3i high = min(at + reach, Vec3i{kBrickEdge - 1, kBrickEdge - 1, kBrickEdge - 1});
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

void fillSignedDistance(const VoxelGrid& voxels, VoxelBricks bricks, const FieldLayout& layout,
                        const FieldParams& params, const BrickCheck& check, const PreviousDistance* earlier,
                        ScalarField& field, StepTimer& steps, DistanceTrace& trace, bool keepsTrace,
                        const std::stop_token& stop) {
    trace = {};
    trace.around = findNeighbours(bricks.keys.span(), bricks.keys.span(), bricks.brickDims, stop);
    trace.bricks = std::move(bricks);
    DistanceMemory memory(earlier, voxels, params, layout);
    memory.compareVoxels(trace.bricks, trace.around, stop);
    trace.cells = distanceCells(trace.bricks, voxels.shape.dims, memory.earlierCells(), stop);
    const DistanceCells& cells = trace.cells;
    if (check)
        check(cells.keys.size());
    steps.end("cells");
    field.normalsGuessed = makeSurfels(voxels, layout.normals, params.normals, memory, trace, stop);
    memory.compareNormals(trace.gathered(), stop);
    steps.end("normals");
    field.brickKeys = keepsTrace ? hostCopy(cells.keys.span()) : std::move(trace.cells.keys);
    field.cellMask = keepsTrace ? hostCopy(cells.cells.span()) : std::move(trace.cells.cells);
    trace.ranges = Buffer<MinMax>::host(field.brickCount());
    trace.nodes.known = Buffer<std::uint64_t>::host(field.brickCount() * kBrickEdge);
    trace.nodes.inside = Buffer<std::uint64_t>::host(field.brickCount() * kBrickEdge);
    field.values = Buffer<float>::host(field.brickCount() * kBrickNodes);
    memory.matchField(field.brickKeys.span());
    trace.fieldAround =
        findNeighbours(field.brickKeys.span(), trace.bricks.keys.span(), field.brickDims, stop);
    const std::span<const std::uint32_t> around = trace.fieldAround.span();
    std::vector<std::uint8_t> taken(field.brickCount());
    parallelFor(field.brickCount(), 16, stop, [&](std::size_t begin, std::size_t end) {
        DistanceGatherer gatherer(voxels, trace.bricks, trace.gathered(), layout);
        for (std::size_t b = begin; b < end; ++b) {
            taken[b] = memory.takeValues(b, field, trace);
            if (taken[b])
                continue;
            float* values = &field.values[b * kBrickNodes];
            gatherer.run(brickOf(field.brickKeys[b], field.brickDims) * kBrickEdge, &around[b * kNeighbours],
                         &cells.nodes[b * kBrickEdge], values);
            nodeBits(values, 0, field.insideBelow, &trace.nodes.inside[b * kBrickEdge],
                     &trace.nodes.known[b * kBrickEdge]);
            trace.ranges[b] = rangeOf({values, kBrickNodes});
        }
    });
    steps.end("gather");
    const auto ownAround =
        findNeighbours(field.brickKeys.span(), field.brickKeys.span(), field.brickDims, stop);
    closePinholes(field, cells.occupied, trace.nodes, ownAround.span(), stop);
    if (field.normalsGuessed > 0)
        removeReversedCells(field, {trace.bricks, trace.gathered(), around}, ownAround.span(), stop);
    setRange(field,
             std::accumulate(trace.ranges.data(), trace.ranges.data() + trace.ranges.size(), MinMax{}, both));
    trace.changed = memory.changedBricks(field, taken, stop);
    steps.end("close");
}

} // namespace scanloupe::cpu
