// Implements the octree of levels of detail.
#include "engine/survey/tileset/lod_grid.h"

#include "kernels/core/error.h"
#include "kernels/field/core/brick_neighbours.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace scanloupe {

namespace {

constexpr int kKeyBits = 21; // bits per cell coordinate in a key

Vec3i shifted(Vec3i v, int bits) {
    return {v.x >> bits, v.y >> bits, v.z >> bits};
}

} // namespace

LodGrid::LodGrid(const LatticeShape& lattice, int leafBricks)
    : m_lattice(lattice), m_brickDims(coveringBricks(lattice.dims)),
      m_leafShift(std::countr_zero(unsigned(leafBricks))),
      m_nodeShift(m_leafShift + std::countr_zero(unsigned(kBrickEdge))) {
    if (!std::has_single_bit(unsigned(leafBricks)))
        throw Fault("the number of bricks along an octree leaf must be a power of two");
    const int most = std::max({m_brickDims.x, m_brickDims.y, m_brickDims.z});
    if (std::int64_t{most} * kBrickEdge > std::int64_t{1} << kKeyBits)
        throw Fault("the lattice has more nodes than fit into an octree key");
    while ((most - 1) >> (m_leafShift + m_levels - 1) > 0)
        ++m_levels;
}

LodNode LodGrid::nodeOfBrick(Vec3i brick, int level) const {
    return {level, shifted(brick, m_leafShift + level)};
}

LodNode LodGrid::nodeOfCell(Vec3i cell, int level) const {
    return {level, shifted(cell, m_nodeShift)};
}

Vec3i LodGrid::firstBrick(const LodNode& node) const {
    return node.place * (1 << (m_leafShift + node.level));
}

Vec3i LodGrid::endBrick(const LodNode& node) const {
    return min((node.place + Vec3i{1, 1, 1}) * (1 << (m_leafShift + node.level)), m_brickDims);
}

Vec3i LodGrid::latticeCell(Vec3f position, Vec3i brick) const {
    Vec3i cell;
    for (int axis = 0; axis < 3; ++axis) {
        const double at =
            (double(position[axis]) - double(m_lattice.origin[axis])) / double(m_lattice.spacing[axis]);
        const int first = brick[axis] * kBrickEdge;
        cell[axis] = std::clamp(int(std::floor(at)), first, first + kBrickEdge - 1);
    }
    return cell;
}

std::uint64_t LodGrid::cellKey(Vec3i cell) const {
    return (std::uint64_t(cell.z) << kKeyBits | std::uint64_t(cell.y)) << kKeyBits | std::uint64_t(cell.x);
}

Vec3i LodGrid::cellOf(std::uint64_t key) const {
    constexpr std::uint64_t mask = (std::uint64_t{1} << kKeyBits) - 1;
    return {int(key & mask), int(key >> kKeyBits & mask), int(key >> 2 * kKeyBits)};
}

} // namespace scanloupe
