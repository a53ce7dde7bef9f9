// Lists the points of one voxel on the CPU.
#include "kernels/core/parallel.h"
#include "kernels/voxelize/values/points_of_voxel.h"

namespace scanloupe::cpu {

std::vector<std::uint32_t> pointsOfVoxel(std::span<const std::uint32_t> pointVoxel, std::uint32_t voxel,
                                         const std::stop_token& stop) {
    constexpr std::size_t grain = std::size_t{1} << 18;
    std::vector<std::vector<std::uint32_t>> chunks(chunkCount(pointVoxel.size(), grain));
    parallelChunks(pointVoxel.size(), grain, stop,
                   [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                       for (std::size_t i = begin; i < end; ++i)
                           if (pointVoxel[i] == voxel)
                               chunks[chunk].push_back(static_cast<std::uint32_t>(i));
                   });
    std::vector<std::uint32_t> points;
    for (const auto& chunk : chunks)
        points.insert(points.end(), chunk.begin(), chunk.end());
    return points;
}

} // namespace scanloupe::cpu
