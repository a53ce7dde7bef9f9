#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace scanloupe::bench {

struct AlignOptions {
    std::vector<std::size_t> points{1000, 5000, 30'000}; ///< points of the street's scans
    std::vector<std::string> only;                       ///< prefixes of the names of rows; empty: all rows
    int starts = 1000;                                   ///< starts of the search
    int repeats = 50;
    double seconds = 240; ///< time limit for starting rows
    std::string json, compare;
};

void addAlignOptions(CLI::App& app, AlignOptions& options);

/// Times registration on the street: both backends, the device's variants and a straightforward version.
/// Without a CUDA device only the CPU's rows. Returns 1 when a method found another pose than the oracle.
/// @throws KernelError
int align(const AlignOptions& options);

} // namespace scanloupe::bench
