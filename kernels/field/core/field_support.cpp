// Computes supports and lattices of fields, and checks their parameters.
#include "kernels/field/core/field_support.h"
#include "kernels/core/number_text.h"

#include "kernels/field/core/brick_neighbours.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace scanloupe {

namespace {
// a node gathers only from its brick and the 26 neighbouring bricks
constexpr int kMaxReach = kBrickEdge - 1;

/// Returns the support with a radius of `radius` metres, but at least `minEdges` voxel edges; `defaultEdges`
/// edges if `radius` is 0. `slack`: maximum distance along an axis, in edges, between a voxel's mean and the
/// position assumed for the voxel.
Support supportOf(const GridShape& shape, float radius, float defaultEdges, float minEdges, float slack) {
    Support support;
    for (int axis = 0; axis < 3; ++axis) {
        const float edge = shape.voxelSize[axis];
        support.radius[axis] = radius > 0 ? std::max(radius, minEdges * edge) : defaultEdges * edge;
        const float voxels = std::ceil(support.radius[axis] / edge + slack) - 1;
        if (!(voxels <= static_cast<float>(kMaxReach))) {
            const Vec3f size = shape.voxelSize;
            const float maxRadius =
                (static_cast<float>(kMaxReach) - slack) * std::min({size.x, size.y, size.z});
            throw KernelError("a radius of " + std::to_string(radius) + " m covers more than " +
                                  std::to_string(kMaxReach) + " voxels",
                              "Use a radius of at most " + std::to_string(maxRadius) +
                                  " m, or larger voxels.");
        }
        support.reach[axis] = std::max(0, static_cast<int>(voxels));
    }
    return support;
}
} // namespace

FieldLayout layoutOf(const VoxelGrid& voxels, const FieldParams& params) {
    if (voxels.size() == 0)
        throw KernelError("the field cannot be computed: there are no occupied voxels",
                          "Choose a range that contains points.");
    return layoutOf(voxels.shape, params);
}

FieldLayout layoutOf(const GridShape& shape, const FieldParams& params) {
    if (!(params.radius >= 0) || !std::isfinite(params.radius))
        throw KernelError("the field's radius must be 0 m or more (got " + shortNumber(params.radius) + ")",
                          "Set a radius of 0 m or more.");
    const bool corners = params.kind == FieldKind::signedDistance;
    FieldLayout layout;
    layout.shift = corners ? 0 : 1;
    layout.lattice.spacing = shape.voxelSize;
    layout.lattice.origin = corners ? shape.origin : shape.origin - shape.voxelSize * 0.5f;
    for (int axis = 0; axis < 3; ++axis) {
        if (shape.dims[axis] > std::numeric_limits<std::int32_t>::max() - 2)
            throw KernelError("the grid has " + std::to_string(shape.dims[axis]) +
                                  " voxels along an axis, too many for a field",
                              "Use a larger voxel size or a smaller range.");
        layout.lattice.dims[axis] = shape.dims[axis] + (corners ? 1 : 2);
    }
    switch (params.kind) {
    case FieldKind::occupancy: // occupancy uses distances to voxel centres
        if (params.radius > 0)
            layout.nodes = supportOf(shape, params.radius, 0, 0, 0);
        break;
    case FieldKind::density: // density uses distances from voxel centres to means anywhere in other voxels
        layout.nodes = supportOf(shape, params.radius, 2.0f, 1.0f, 0.5f);
        break;
    case FieldKind::signedDistance: // the signed distance uses distances from voxel corners to means anywhere
                                    // in voxels
        layout.nodes = supportOf(shape, params.radius, 2.0f, 1.75f, 1);
        layout.normals = supportOf(shape, params.radius, 2.0f, 1.75f, 1);
        break;
    case FieldKind::volume:
        throw KernelError("a field of the kind volume is read from a file and cannot be computed from points",
                          "Choose occupancy, density or distance.");
    }
    return layout;
}

Support scaledSupport(const Support& support, int times) {
    Support result = support;
    for (int axis = 0; axis < 3; ++axis) {
        result.reach[axis] = std::min(times * support.reach[axis], kMaxReach);
        const float grown = static_cast<float>(result.reach[axis]) / static_cast<float>(support.reach[axis]);
        result.radius[axis] = support.radius[axis] * grown;
    }
    return result;
}

SurfelSource surfelSource(const VoxelGrid& voxels, const NormalSource& source) {
    return {{voxels.mean(0), voxels.mean(1), voxels.mean(2), {}},
            voxels.counts.data(),
            source.normals,
            source.sensors,
            source.sensor.has_value(),
            source.sensor.value_or(Vec3f{})};
}

std::vector<float> smoothingWeights(const FieldLayout& layout) {
    const Vec3i reach = layout.nodes.reach;
    const Vec3f inverse = inverseSquares(layout.nodes.radius), edge = layout.lattice.spacing;
    std::vector<float> weights;
    float sum = 0;
    for (int z = -reach.z; z <= reach.z; ++z)
        for (int y = -reach.y; y <= reach.y; ++y)
            for (int x = -reach.x; x <= reach.x; ++x) {
                const Vec3f d = Vec3i{x, y, z}.as<float>() * edge;
                weights.push_back(triweight(epanechnikov(d.x, d.y, d.z, inverse)));
                sum += weights.back();
            }
    for (float& weight : weights)
        weight /= sum;
    return weights;
}

ScalarField volumeLayout(std::size_t samples, const LatticeShape& lattice, bool clampBorder,
                         bool insideBelow) {
    const Vec3i n = lattice.dims;
    const auto limit = std::numeric_limits<std::int32_t>::max() - (clampBorder ? 1 : 0);
    for (int axis = 0; axis < 3; ++axis) {
        if (n[axis] < 1 || n[axis] > limit)
            throw KernelError("the number of samples of a volume along an axis must be between 1 and " +
                                  std::to_string(limit) + " (got " + std::to_string(n[axis]) + ")",
                              "Correct the dimensions of the volume.");
        if (!(lattice.spacing[axis] > 0) || !std::isfinite(lattice.spacing[axis]))
            throw KernelError("the spacing of a volume must be a positive number (got " +
                                  shortNumber(lattice.spacing[axis]) + ")",
                              "Set a spacing above 0 for each axis.");
    }
    // no overflow, since both factors are below 2^31
    const auto plane = std::uint64_t(n.x) * std::uint64_t(n.y);
    if (plane > samples || plane * std::uint64_t(n.z) != samples)
        throw KernelError("a volume of " + std::to_string(n.x) + " x " + std::to_string(n.y) + " x " +
                              std::to_string(n.z) + " samples has " + std::to_string(samples) + " values",
                          "Check the volume's dimensions against its file.");
    ScalarField field;
    field.kind = FieldKind::volume;
    field.insideBelow = insideBelow;
    field.lattice = lattice;
    if (clampBorder)
        field.lattice.dims = n + Vec3i{1, 1, 1};
    field.brickDims = coveringBricks(field.lattice.dims);
    return field;
}

} // namespace scanloupe
