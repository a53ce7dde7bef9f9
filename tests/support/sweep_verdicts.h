#pragma once
// Counts verdicts on poses of sweeps with known truth: right poses, ambiguous ones, and wrong ones.
#include "tests/support/sweep_pairs.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace scanloupe::test {

/// Number of poses for each verdict, by PoseWord.
struct VerdictCounts {
    std::array<int, 3> words{};
    int of(PoseWord word) const { return words[std::size_t(word)]; }
    int all() const { return words[0] + words[1] + words[2]; }
};

struct SweepVerdicts {
    VerdictCounts right;     ///< right poses of unambiguous places
    VerdictCounts ambiguous; ///< true poses of places with self-similar structure
    VerdictCounts wrong; ///< poses that are off, shifted along a corridor or by a pitch of racks, or rotated
    VerdictCounts mismatched; ///< poses of scans of two places
    VerdictCounts open;       ///< right poses in open places, some of which are unambiguous
    VerdictCounts openWrong;  ///< wrong poses in open places

    /// Whether the verdicts are within their limits. No wrong pose may be called right. Of the right poses,
    /// at most 5 % plus one may not be called right, and 99 % of the ambiguous ones must be doubtful. In open
    /// places, at most 1 % plus one of the wrong poses may be called right.
    bool hold() const;
    void print() const;
};

/// Judges poses in each kind of place for each seed: poses that are true to some millimetres, results of
/// GICP, and wrong poses. Prints the seeds, and each pose with an unexpected verdict.
SweepVerdicts judgeSweeps(std::uint32_t first, std::uint32_t seeds);

} // namespace scanloupe::test
