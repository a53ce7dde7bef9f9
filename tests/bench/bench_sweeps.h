#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace scanloupe::bench {

struct SweepsOptions {
    std::string place = "street"; ///< of the generated pair: see nameOf(SweepScene)
    std::uint32_t seed = 1;
    double metres = 2, degrees = 10; ///< maximum errors of the start: horizontal shift and heading
    std::string folder;              ///< to write the generated pair to, for other programs
    std::string target, source;      ///< scans to align in place of a generated pair
    std::vector<double> start;       ///< [12] of their alignment, row by row; none: identity
    std::string method = "gicp";
    int repeats = 3; ///< medians of the times are printed
};

void addSweepsOptions(CLI::App& app, SweepsOptions& options);

/// Aligns two sweeps by surfaces, as `align` does, on all cores that it may use, and prints a line of JSON:
/// start, truth, the pose that was found, its verdict, and the times of each step. tests/scripts/
/// small_gicp_sweeps.py compares it with another library.
/// @throws KernelError; EngineError
int sweeps(const SweepsOptions& options);

} // namespace scanloupe::bench
