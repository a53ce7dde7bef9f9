#pragma once
// Declares which bricks dabs write and read. It is found on the host, for both backends.
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/field/sculpt/sculpt.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// The bricks that dabs may write, before it is known which of them the field has.
struct SculptReach {
    std::vector<std::uint64_t> written; ///< keys, dab after dab
    std::vector<std::size_t> begins;    ///< [dabs + 1] into `written`
    std::vector<std::uint64_t> read;    ///< ascending: those, the bricks beside them, and those cloned
};

/// How many of the dabs, from the first on, are planned at once.
std::size_t dabsOfBatch(const LatticeShape& lattice, Vec3i brickDims, std::span<const SculptDab> dabs);

/// @throws KernelError as sculpt; Cancelled
SculptReach reachOf(const LatticeShape& lattice, Vec3i brickDims, std::span<const SculptDab> dabs,
                    const std::stop_token& stop);

/// What each dab writes in the field with all bricks that are added.
struct SculptPlan {
    std::vector<std::uint64_t> added;      ///< ascending keys of bricks that the field did not have
    std::vector<std::size_t> begins;       ///< [dabs + 1] into what follows
    std::vector<std::uint64_t> keys;       ///< of the bricks that a dab writes
    std::vector<std::uint32_t> neighbours; ///< [keys, 27] indices in the field; kNoBrick: it has none
    std::vector<std::uint32_t> sources;    ///< [keys, 8] what `clone` takes from, as above; or no dab does

    std::size_t most() const; ///< bricks that one dab writes
};

/// @throws KernelError when a field of so many bricks is too large
void requireBricks(std::uint64_t bricks, std::uint64_t most);

/// @param before [reach.read] index of each brick in the field before the dabs; kNoBrick: it has none
/// @param rank [reach.read] how many bricks of that field have a smaller key
SculptPlan planOf(const SculptReach& reach, std::span<const SculptDab> dabs, const LatticeShape& lattice,
                  Vec3i brickDims, std::span<const std::uint32_t> before,
                  std::span<const std::uint32_t> rank);

} // namespace scanloupe
