#pragma once
// The arithmetic of counting that the variants share with their reference on the CPU.
#include "kernels/synth/hash.h"
#include "kernels/voxelize/core/voxel_element.h"

#include <cstdint>

namespace scanloupe::bench {

/// Marks points outside of the range. All grids of the benchmark have fewer cells.
inline constexpr std::uint32_t kNoCell = 0xffffffffu;

/// The index of the point's cell in 32 bits, numbered as in the published pipelines.
HD inline std::uint32_t cellIndex(const VoxelCells& cells, Vec3f p) {
    if (!cells.contains(p))
        return kNoCell;
    const Vec3i cell = cells.cell(p);
    const auto nx = static_cast<std::uint32_t>(cells.shape.dims.x);
    const auto ny = static_cast<std::uint32_t>(cells.shape.dims.y);
    return (static_cast<std::uint32_t>(cell.z) * ny + static_cast<std::uint32_t>(cell.y)) * nx +
           static_cast<std::uint32_t>(cell.x);
}

/// Height of a point above the bottom of its cell, 0 to 127. Variants with two counters sum these heights;
/// the sum of 2^25 points in one cell fits 32 bits.
HD inline std::uint32_t levelInCell(const VoxelCells& cells, Vec3f p) {
    const float place = (p.z - cells.shape.origin.z) / cells.shape.voxelSize.z;
    return static_cast<std::uint32_t>((place - static_cast<float>(static_cast<std::int32_t>(place))) *
                                      128.0f);
}

/// The contribution of one voxel to Histogram::checksum.
HD inline std::uint64_t cellChecksum(std::uint64_t key, std::uint32_t count) {
    return synth::randomBits(11, key, count);
}

} // namespace scanloupe::bench
