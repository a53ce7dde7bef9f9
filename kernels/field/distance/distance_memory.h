#pragma once
// Declares the intermediate results of a signed distance on the CPU that the next computation reuses. Manual
// editing changes few voxels, so most results stay valid.
#include "kernels/field/core/field_common.h"
#include "kernels/field/core/field_support.h"
#include "kernels/field/core/scalar_field.h"
#include "kernels/field/core/voxel_bricks.h"
#include "kernels/field/distance/distance_cells.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace scanloupe::cpu {

/// Intermediate results of the computation of a signed distance from voxels.
struct DistanceTrace {
    VoxelBricks bricks;
    Buffer<std::uint32_t> around;  ///< [bricks, 27] neighbours of `bricks`, as indices into `bricks`
    Buffer<Vec3f> estimates;       ///< [V] normals before their orientation by neighbours
    Buffer<std::uint8_t> oriented; ///< [V] 1 if the orientation is known without neighbours
    Buffer<Vec3f> normals;         ///< [V] final normals; empty if they equal the estimates
    /// Ascending keys of the field's bricks that differ from the previous field: in values, in cells, or
    /// because only one of both fields has them. Empty optional without a previous field.
    std::optional<std::vector<std::uint64_t>> changed;
    Buffer<std::uint32_t> fieldAround; ///< [B, 27] indices into `bricks` around each brick of the field
    DistanceCells cells;               ///< cells of the field's bricks before closing pinholes
    Buffer<MinMax> ranges;             ///< [B] value range of each brick
    NodeBits nodes;                    ///< bits of the nodes that have a value, and of those that are inside

    std::span<const Vec3f> gathered() const { return normals.empty() ? estimates.span() : normals.span(); }
    std::uint64_t bytes() const;
};

/// A previous signed distance and its input, on the host.
struct PreviousDistance {
    const VoxelGrid& voxels;
    const FieldParams& params;
    const DistanceTrace& trace;
    const ScalarField& field;
};

/// Finds the results of a previous signed distance that are still valid for the next one. Compares everything
/// bit by bit, so that reused values equal recomputed ones.
class DistanceMemory {
public:
    /// @param earlier previous signed distance, which must outlive this object; may be null
    DistanceMemory(const PreviousDistance* earlier, const VoxelGrid& voxels, const FieldParams& params,
                   const FieldLayout& layout);

    /// Compares the voxels of all bricks with the previous ones. @param around [bricks, 27] neighbours
    /// @throws Cancelled
    void compareVoxels(const VoxelBricks& bricks, const Buffer<std::uint32_t>& around,
                       const std::stop_token& stop);
    /// Returns the cells to reuse; null without a previous signed distance.
    const PreviousCells* earlierCells() const { return m_cells ? &*m_cells : nullptr; }
    /// Copies the previous normals of a brick's voxels, before orientation by neighbours, if no input of
    /// their estimation has changed. Returns whether they were copied.
    bool takeEstimates(std::size_t brick, std::span<Vec3f> estimates, std::span<std::uint8_t> oriented) const;
    /// Compares the final normals of the bricks' voxels with the previous ones. @throws Cancelled
    void compareNormals(std::span<const Vec3f> normals, const std::stop_token& stop);
    /// Matches the bricks of the new field with those of the previous field. @param keys ascending keys of
    /// the new field's bricks
    void matchField(std::span<const std::uint64_t> keys);
    /// Copies the previous values of a brick of the field, their range and their bits, if no input of these
    /// values has changed. Returns whether they were copied. @param trace trace of the new field; its cells
    /// and neighbours of bricks must be set
    bool takeValues(std::size_t brick, ScalarField& field, DistanceTrace& trace) const;
    /// Returns DistanceTrace::changed for the complete field. @param taken [B] whether takeValues() returned
    /// true for the brick
    /// @throws Cancelled
    std::optional<std::vector<std::uint64_t>> changedBricks(const ScalarField& field,
                                                            const std::vector<std::uint8_t>& taken,
                                                            const std::stop_token& stop) const;

private:
    bool hasSameVoxels(std::size_t brick, std::size_t before) const;
    /// Returns whether two bricks have the same neighbours and `isSame` is true for each neighbour.
    bool hasSameAround(const std::uint32_t* now, const std::uint32_t* before,
                       const std::vector<std::uint8_t>& isSame) const;

    const PreviousDistance* m_earlier; ///< null if there is nothing to reuse
    const VoxelGrid& m_voxels;
    const FieldParams& m_params;
    const VoxelBricks* m_bricks = nullptr;
    const std::uint32_t* m_around = nullptr;
    std::vector<std::uint32_t> m_before; ///< [bricks] index of each brick in the previous list; kNoBrick if
                                         ///< it is new
    std::vector<std::uint8_t> m_sameVoxels; ///< [bricks] 1 if the voxels are unchanged
    std::vector<std::uint64_t> m_changed;   ///< keys of the bricks whose voxels have changed
    std::optional<PreviousCells> m_cells;
    std::vector<std::uint8_t> m_sameNormals;  ///< [bricks] 1 if both voxels and normals are unchanged
    std::vector<std::uint32_t> m_fieldBefore; ///< [B] index of each brick in the previous field; kNoBrick if
                                              ///< it is new
};

} // namespace scanloupe::cpu
