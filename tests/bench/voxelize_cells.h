#pragma once
// The maths of counting that the variants and their reference on the CPU share.
#include "kernels/synth/hash.h"
#include "kernels/voxelize/core/voxel_element.h"

#include <cstdint>

namespace scanloupe::bench {

/// No cell: the point is outside of the range. All grids of the benchmark have fewer cells.
inline constexpr std::uint32_t kNoCell = 0xffffffffu;

/// The point's cell as the published pipelines number it, in 32 bits.
HD inline std::uint32_t cellIndex(const VoxelCells& cells, Vec3f p) {
    if (!cells.contains(p))
        return kNoCell;
    const Vec3i cell = cells.cell(p);
    const auto nx = static_cast<std::uint32_t>(cells.shape.dims.x);
    const auto ny = static_cast<std::uint32_t>(cells.shape.dims.y);
    return (static_cast<std::uint32_t>(cell.z) * ny + static_cast<std::uint32_t>(cell.y)) * nx +
           static_cast<std::uint32_t>(cell.x);
}

/// Height of a point in the range within its cell, 0 to 127: summed by the variants with two counters. 2^25
/// points a cell fit 32 bits.
HD inline std::uint32_t levelInCell(const VoxelCells& cells, Vec3f p) {
    const float place = (p.z - cells.shape.origin.z) / cells.shape.voxelSize.z;
    return static_cast<std::uint32_t>((place - static_cast<float>(static_cast<std::int32_t>(place))) *
                                      128.0f);
}

/// One voxel's part of Histogram::checksum.
HD inline std::uint64_t cellChecksum(std::uint64_t key, std::uint32_t count) {
    return synth::randomBits(11, key, count);
}

} // namespace scanloupe::bench
