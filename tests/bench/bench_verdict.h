#pragma once
#include "engine/compute/backend.h"

#include <CLI/CLI.hpp>
#include <string>

namespace scanloupe::bench {

struct VerdictOptions {
    std::string scans;                 ///< folder of real scans; empty: none
    std::string csv;                   ///< file to write; empty: none
    unsigned firstSeed = 1, seeds = 6; ///< seeds of the generated scenes
    std::size_t mismatches = 120;      ///< pairs of different scenes
    unsigned sweeps = 0;               ///< seeds of sweeps to judge instead, from firstSeed on
    Backend backend = Backend::cpu;
};

void addVerdictOptions(CLI::App& app, VerdictOptions& options);

/// Aligns pairs of scans with known truth, and writes the evidence, the verdict and the error of each as a
/// row of CSV, for tests/support/fit_verdict.py. Returns 1 when a wrong pose was called right. With sweeps,
/// it counts the verdicts of judgeSweeps(), and returns 1 where they do not hold.
/// @throws KernelError; EngineError
int verdict(const VerdictOptions& options);

} // namespace scanloupe::bench
