#pragma once
// Declares the intermediate results of a signed distance on the CPU that the next one reuses. Editing by hand
// changes few voxels, so most results stay valid.
#include "kernels/field/core/field_common.h"
#include "kernels/field/core/field_support.h"
#include "kernels/field/core/scalar_field.h"
#include "kernels/field/core/voxel_bricks.h"
#include "kernels/field/distance/distance_cells.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace scanloupe::cpu {

/// Intermediate results between voxels and signed distance.
struct DistanceTrace {
    VoxelBricks bricks;
    Buffer<std::uint32_t> around;  ///< [bricks, 27] into `bricks`
    Buffer<Vec3f> estimates;       ///< [V] normals, before their neighbours orient them
    Buffer<std::uint8_t> oriented; ///< [V] 1: the orientation is known without neighbours
    Buffer<Vec3f> normals;         ///< [V] as gathered; empty: the estimates
    /// Ascending keys of the field's bricks that differ from those of the earlier field, in values, in cells,
    /// or in that only one field has them; none without an earlier one.
    std::optional<std::vector<std::uint64_t>> changed;
    Buffer<std::uint32_t> fieldAround; ///< [B, 27] the voxels' bricks around each of the field's
    DistanceCells cells;               ///< cells of the field's bricks, before pinholes are closed
    Buffer<MinMax> ranges;             ///< [B] range of the values
    NodeBits nodes;                    ///< nodes that have a value

    std::span<const Vec3f> gathered() const { return normals.empty() ? estimates.span() : normals.span(); }
    std::uint64_t bytes() const;
};

/// An earlier signed distance, with its input on the host.
struct PreviousDistance {
    const VoxelGrid& voxels;
    const FieldParams& params;
    const DistanceTrace& trace;
    const ScalarField& field;
};

/// Finds the results of an earlier signed distance that stay valid for the next one. Everything is compared
/// bit by bit, so that reused values equal computed ones.
class DistanceMemory {
public:
    /// @param earlier null, or one that outlives this
    DistanceMemory(const PreviousDistance* earlier, const VoxelGrid& voxels, const FieldParams& params,
                   const FieldLayout& layout);

    /// Compares the voxels of all bricks. @param around [bricks, 27] @throws Cancelled
    void compareVoxels(const VoxelBricks& bricks, const Buffer<std::uint32_t>& around,
                       const std::stop_token& stop);
    /// The cells to reuse; null without an earlier signed distance.
    const PreviousCells* earlierCells() const { return m_cells ? &*m_cells : nullptr; }
    /// Copies the normals of a brick's voxels, before orientation, if no input of their estimation has
    /// changed. Returns whether it did.
    bool takeEstimates(std::size_t brick, std::span<Vec3f> estimates, std::span<std::uint8_t> oriented) const;
    /// Compares the normals of the bricks' voxels. @throws Cancelled
    void compareNormals(std::span<const Vec3f> normals, const std::stop_token& stop);
    /// Matches the bricks of the fields.
    void matchField(std::span<const std::uint64_t> keys);
    /// Copies the values of a brick of the field, their range and their bits, if no input of them has
    /// changed. Returns whether it did. @param trace the field's, with cells and bricks around
    bool takeValues(std::size_t brick, ScalarField& field, DistanceTrace& trace) const;
    /// DistanceTrace::changed of the complete field. @param taken [B] whether takeValues() returned true
    /// @throws Cancelled
    std::optional<std::vector<std::uint64_t>> changedBricks(const ScalarField& field,
                                                            const std::vector<std::uint8_t>& taken,
                                                            const std::stop_token& stop) const;

private:
    bool hasSameVoxels(std::size_t brick, std::size_t before) const;
    /// Whether the neighbours of two bricks are the same, and `isSame` is true for each.
    bool hasSameAround(const std::uint32_t* now, const std::uint32_t* before,
                       const std::vector<std::uint8_t>& isSame) const;

    const PreviousDistance* m_earlier; ///< null: nothing is reused
    const VoxelGrid& m_voxels;
    const FieldParams& m_params;
    const VoxelBricks* m_bricks = nullptr;
    const std::uint32_t* m_around = nullptr;
    std::vector<std::uint32_t> m_before;    ///< [bricks] index before; kNoBrick: none
    std::vector<std::uint8_t> m_sameVoxels; ///< [bricks]
    std::vector<std::uint64_t> m_changed;   ///< keys of the bricks whose voxels are not the same
    std::optional<PreviousCells> m_cells;
    std::vector<std::uint8_t> m_sameNormals;  ///< [bricks] whether voxels and normals are the same
    std::vector<std::uint32_t> m_fieldBefore; ///< [B] index in the earlier field; kNoBrick: none
};

} // namespace scanloupe::cpu
