#pragma once
#include "engine/compute/backend.h"

#include <CLI/CLI.hpp>
#include <string>

namespace scanloupe::bench {

struct VerdictOptions {
    std::string scans;                 ///< folder of real scans; empty: none
    std::string csv;                   ///< file to write; empty: none
    unsigned firstSeed = 1, seeds = 6; ///< seeds for the generated scenes
    std::size_t mismatches = 120;      ///< number of pairs that show different scenes
    unsigned sweeps = 0;               ///< if > 0: judge sweeps with this many seeds instead, from firstSeed
                                       ///< on
    Backend backend = Backend::cpu;
};

void addVerdictOptions(CLI::App& app, VerdictOptions& options);

/// Aligns pairs of scans with known truth. Writes evidence, verdict and error of each pair as a row of CSV,
/// for tests/support/fit_verdict.py. Returns 1 if a wrong pose was called right. With `sweeps`, counts the
/// verdicts of judgeSweeps() instead, and returns 1 if they violate the documented limits.
/// @throws KernelError; EngineError
int verdict(const VerdictOptions& options);

} // namespace scanloupe::bench
