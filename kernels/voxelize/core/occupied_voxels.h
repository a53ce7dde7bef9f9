#pragma once
// Declares the interface of the strategies of the CPU backend: each strategy finds the occupied cells and
// ranks points by them. Averaging is common to all strategies.
#include "kernels/voxelize/core/voxelize_job.h"

#include <memory>

namespace scanloupe::cpu {

/// Rank of a point in range that exceeds maxPointsPerVoxel. No voxel has this rank, since there are at most
/// as many voxels as points, and at most 2^32 - 2 points.
inline constexpr std::uint32_t kPastPointLimit = kNoVoxel - 1;

/// The occupied cells of a job. A cell's rank is the number of occupied cells with a smaller key.
class OccupiedVoxels {
public:
    OccupiedVoxels() = default;
    OccupiedVoxels(const OccupiedVoxels&) = delete;
    OccupiedVoxels& operator=(const OccupiedVoxels&) = delete;
    virtual ~OccupiedVoxels() = default;

    virtual std::size_t count() const = 0;
    /// Writes the keys of the first keys.size() occupied cells, ascending. @throws Cancelled
    virtual void writeKeys(std::span<std::uint64_t> keys, const std::stop_token& stop) const = 0;
    /// Computes the rank of the cell of each point of a block: kNoVoxel outside the range, kPastPointLimit
    /// for a point in range that is not averaged. Thread-safe.
    virtual void rank(const PointBlock& block, std::uint32_t* ranks) const = 0;
};

/// @throws KernelError when out of memory, Cancelled
std::unique_ptr<OccupiedVoxels> findByBitmapRank(const VoxelizeJob& job);
std::unique_ptr<OccupiedVoxels> findByBrickHash(const VoxelizeJob& job);
std::unique_ptr<OccupiedVoxels> findByHash(const VoxelizeJob& job);
std::unique_ptr<OccupiedVoxels> findByRadixSort(const VoxelizeJob& job);
std::unique_ptr<OccupiedVoxels> findByDenseGrid(const VoxelizeJob& job);

/// Averages the points of each occupied voxel, and fills the grid except shape, strategy and cost.
void averageVoxels(const VoxelizeJob& job, const OccupiedVoxels& occupied, VoxelGrid& grid);

} // namespace scanloupe::cpu
