#pragma once
// Declares the memory of stages on the host, as formulae of the sizes of what they read and make.
#include <cstdint>

namespace scanloupe {

/// Bytes that a stage takes on top of what it reads.
struct StageMemory {
    std::uint64_t result = 0; ///< that it leaves
    std::uint64_t peak = 0;   ///< at most while it runs, with its result
};

/// The attributes that voxels get means or classes of.
struct AttributeCounts {
    std::uint64_t numbers = 0, categories = 0;
};

struct MeshSize {
    std::uint64_t vertices = 0, triangles = 0;
    std::uint64_t bytes() const;
};

StageMemory hostPointsMemory(std::uint64_t points);
/// @param points all that are looked at, in range or not
StageMemory voxelizeMemory(std::uint64_t points, std::uint64_t voxels, const AttributeCounts& attributes);
StageMemory fieldMemory(std::uint64_t voxels, std::uint64_t bricks);
/// @param bricks of the field as brushes leave it
StageMemory sculptMemory(std::uint64_t bricks);
/// @param bricks of the field
/// @param bySycl whether SYCL extracts it on a processor: it lists crossed edges and triangles first
StageMemory extractMemory(std::uint64_t bricks, const MeshSize& mesh, bool bySycl);
/// @param decimateTo largest number of triangles; 0: not decimated
StageMemory cleanMemory(const MeshSize& mesh, std::uint64_t decimateTo);
/// A search among points, and the distances of vertices to them.
StageMemory distancesMemory(std::uint64_t points, std::uint64_t vertices);

} // namespace scanloupe
