#pragma once
// Declares the table of voxelization strategies: their limits, and the functions of both backends.
#include "kernels/voxelize/core/occupied_voxels.h"

#include <span>

namespace scanloupe {

namespace cuda {
struct Job;
// Each of these functions fills keys, counts, means, pointVoxel and stats of `grid`, whose shape is set.
void voxelizeByBitmapRank(const Job& job, VoxelGrid& grid);
void voxelizeByBrickHash(const Job& job, VoxelGrid& grid);
void voxelizeByHash(const Job& job, VoxelGrid& grid);
void voxelizeByRadixSort(const Job& job, VoxelGrid& grid);
void voxelizeByDenseGrid(const Job& job, VoxelGrid& grid);
} // namespace cuda

/// A voxelization strategy. To add one, add a value to VoxelizeStrategy and a row to the table.
struct VoxelizeStrategyRow {
    VoxelizeStrategy strategy;
    const char* name; ///< as in the command line and the benchmark
    std::uint64_t maxCells = ~std::uint64_t{0};
    bool knowsFirstPoints = false; ///< whether it can keep only the first points of a voxel
    /// Finds the occupied cells on the CPU.
    std::unique_ptr<cpu::OccupiedVoxels> (*find)(const cpu::VoxelizeJob&) = nullptr;
    /// Voxelizes on the device.
    void (*voxelizeOnDevice)(const cuda::Job&, VoxelGrid&) = nullptr;
};

/// Returns all strategies, in the order of their values; the first is automatic and has no functions.
std::span<const VoxelizeStrategyRow> voxelizeStrategies();
/// Returns the row of a strategy. @throws Fault for a value outside of the enumeration
const VoxelizeStrategyRow& rowOf(VoxelizeStrategy strategy);

} // namespace scanloupe
