#pragma once
// Declares which bricks dabs write and read. Computed on the host for both backends.
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/field/sculpt/sculpt.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// The bricks that dabs may write, whether or not the field already has them.
struct SculptReach {
    std::vector<std::uint64_t> written; ///< brick keys, grouped by dab
    std::vector<std::size_t> begins;    ///< [dabs + 1] begin of each dab's bricks in `written`
    /// ascending keys: the bricks of `written`, their neighbours, and the bricks to clone from
    std::vector<std::uint64_t> read;
};

/// Returns how many dabs, starting with the first, are planned together.
std::size_t dabsOfBatch(const LatticeShape& lattice, Vec3i brickDims, std::span<const SculptDab> dabs);

/// Returns the bricks that dabs may write and read. @throws KernelError as sculpt; Cancelled
SculptReach reachOf(const LatticeShape& lattice, Vec3i brickDims, std::span<const SculptDab> dabs,
                    const std::stop_token& stop);

/// The bricks that each dab writes, as indices in the field after bricks were added.
struct SculptPlan {
    std::vector<std::uint64_t> added;      ///< ascending keys of the bricks to add to the field
    std::vector<std::size_t> begins;       ///< [dabs + 1] begin of each dab in the arrays below
    std::vector<std::uint64_t> keys;       ///< keys of the bricks that each dab writes
    std::vector<std::uint32_t> neighbours; ///< [keys, 27] indices of the neighbours in the field; kNoBrick if
                                           ///< missing
    /// [keys, 8] indices of the bricks that `clone` copies from; kNoBrick if missing; empty if no dab clones
    std::vector<std::uint32_t> sources;

    std::size_t most() const; ///< returns the maximum number of bricks that one dab writes
};

/// Checks the size of the field. @throws KernelError if it has more than `most` bricks
void requireBricks(std::uint64_t bricks, std::uint64_t most);

/// Plans dabs. @param before [reach.read] index of each brick in the field before the dabs; kNoBrick if
/// missing @param rank [reach.read] number of bricks in that field that have a smaller key
SculptPlan planOf(const SculptReach& reach, std::span<const SculptDab> dabs, const LatticeShape& lattice,
                  Vec3i brickDims, std::span<const std::uint32_t> before,
                  std::span<const std::uint32_t> rank);

} // namespace scanloupe
