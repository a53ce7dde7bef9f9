#pragma once
// Sums points in a hash table with one slot per voxel, which stores the sums. Each point is read once, so
// points can be added in pieces. If the table is full, it grows, and points without a slot are inserted
// again.
#include "kernels/voxelize/averages/cuda_average.cuh"
#include "kernels/voxelize/strategies/cuda_key_hash_table.cuh"

namespace scanloupe::cuda {

class VoxelHashTable {
public:
    /// Makes an empty table. @throws KernelError when out of memory
    VoxelHashTable(const Job& job, std::uint32_t slots);

    /// Adds points to the sums. @note Synchronizes. @throws KernelError if the table cannot grow any more;
    /// Cancelled
    void add(const PointsIn& in);

    /// Sorts the voxels by key and fills `grid`, except `pointVoxel`. No points may be added afterwards.
    /// @note Synchronizes.
    Counts finish(VoxelGrid& grid);

    /// Finds the voxel of each point. Requires finish(). @param pointVoxel [in.count] receives the voxels
    void lookUp(const PointsIn& in, std::uint32_t* pointVoxel) const;

private:
    std::uint32_t slots() const { return m_table.mask + 1; }
    void allocate(std::uint32_t slots);
    void grow();

    const Job& m_job;
    KeyHashTable m_table;
    Buffer<Count> m_keys, m_words;
    Sums m_sums;
    Buffer<std::uint8_t> m_pending; // [threads] for each thread, a bit per point that found no slot
    Buffer<std::uint32_t> m_places; // [slots] index of the voxel of each slot
    std::size_t m_kept = 0;
    Buffer<Counts> m_counts;
};

} // namespace scanloupe::cuda
