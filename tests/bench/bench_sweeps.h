#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace scanloupe::bench {

struct SweepsOptions {
    std::string place = "street"; ///< scene of the generated pair, see nameOf(SweepScene)
    std::uint32_t seed = 1;
    double metres = 2, degrees = 10; ///< maximum errors of the start: horizontal shift and heading
    std::string folder;              ///< folder for the generated pair, for use in other programs; empty:
                                     ///< none
    std::string target, source;      ///< scans to align in place of a generated pair
    std::vector<double> start;       ///< [12] pose at which their alignment starts, row by row; empty:
                                     ///< identity
    std::string method = "gicp";
    int repeats = 3; ///< number of runs; their median times are printed
};

void addSweepsOptions(CLI::App& app, SweepsOptions& options);

/// Aligns two sweeps by surfaces on all available cores, as `align` does, and prints a line of JSON: start,
/// truth, estimated pose, verdict, and the time of each step. tests/scripts/small_gicp_sweeps.py compares the
/// result with another library.
/// @throws KernelError; EngineError
int sweeps(const SweepsOptions& options);

} // namespace scanloupe::bench
