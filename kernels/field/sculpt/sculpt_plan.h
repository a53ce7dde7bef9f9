#pragma once
// Declares which bricks dabs write and read. Computed on the host, for both backends.
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/field/sculpt/sculpt.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// The bricks that dabs may write, without regard to the existing bricks of the field.
struct SculptReach {
    std::vector<std::uint64_t> written; ///< keys, grouped by dab
    std::vector<std::size_t> begins;    ///< [dabs + 1] into `written`
    /// ascending: those of `written`, their neighbours, and the bricks to clone from
    std::vector<std::uint64_t> read;
};

/// Number of dabs, from the first on, that are planned together.
std::size_t dabsOfBatch(const LatticeShape& lattice, Vec3i brickDims, std::span<const SculptDab> dabs);

/// @throws KernelError as sculpt; Cancelled
SculptReach reachOf(const LatticeShape& lattice, Vec3i brickDims, std::span<const SculptDab> dabs,
                    const std::stop_token& stop);

/// The bricks that each dab writes, as indices in the field after adding bricks.
struct SculptPlan {
    std::vector<std::uint64_t> added;      ///< ascending keys of bricks that the field did not have
    std::vector<std::size_t> begins;       ///< [dabs + 1] into the arrays below
    std::vector<std::uint64_t> keys;       ///< keys of the bricks that a dab writes
    std::vector<std::uint32_t> neighbours; ///< [keys, 27] indices in the field; kNoBrick: it has none
    /// [keys, 8] bricks that `clone` copies from, as above; empty if no dab clones
    std::vector<std::uint32_t> sources;

    std::size_t most() const; ///< maximum number of bricks that one dab writes
};

/// @throws KernelError for a field of more than `most` bricks
void requireBricks(std::uint64_t bricks, std::uint64_t most);

/// @param before [reach.read] index of each brick in the field before the dabs; kNoBrick: none @param rank
/// [reach.read] number of bricks of that field with a smaller key
SculptPlan planOf(const SculptReach& reach, std::span<const SculptDab> dabs, const LatticeShape& lattice,
                  Vec3i brickDims, std::span<const std::uint32_t> before,
                  std::span<const std::uint32_t> rank);

} // namespace scanloupe
