#pragma once
// Sums voxels in a hash table, whose slots hold the sums: points are read once, so that they can be added in
// pieces. The table grows when it is full; points without a slot are then inserted again.
#include "kernels/voxelize/averages/cuda_average.cuh"
#include "kernels/voxelize/strategies/cuda_key_hash_table.cuh"

namespace scanloupe::cuda {

class VoxelHashTable {
public:
    /// @throws KernelError when out of memory
    VoxelHashTable(const Job& job, std::uint32_t slots);

    /// Sums points. @note Synchronizes. @throws KernelError when the table can't grow; Cancelled
    void add(const PointsIn& in);

    /// Sorts the voxels by key and fills `grid`, except `pointVoxel`. No points can be added after this.
    /// @note Synchronizes.
    Counts finish(VoxelGrid& grid);

    /// Finds the voxel of each point, after `finish`. @param pointVoxel [in.count]
    void lookUp(const PointsIn& in, std::uint32_t* pointVoxel) const;

private:
    std::uint32_t slots() const { return m_table.mask + 1; }
    void allocate(std::uint32_t slots);
    void grow();

    const Job& m_job;
    KeyHashTable m_table;
    Buffer<Count> m_keys, m_words;
    Sums m_sums;
    Buffer<std::uint8_t> m_pending; // [threads] a bit for each point that found no slot
    Buffer<std::uint32_t> m_places; // [slots] index of each slot's voxel
    std::size_t m_kept = 0;
    Buffer<Counts> m_counts;
};

} // namespace scanloupe::cuda
