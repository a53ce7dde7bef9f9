#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace scanloupe::bench {

struct AlignOptions {
    std::vector<std::size_t> points{1000, 5000, 30'000}; ///< number of points in the scans of the street
    std::vector<std::string> only;                       ///< prefixes of the names of rows; empty: all rows
    int starts = 1000;                                   ///< number of start poses in a search
    int repeats = 50;
    double seconds = 240; ///< no new row starts after this time
    std::string json, compare;
};

void addAlignOptions(CLI::App& app, AlignOptions& options);

/// Times registration on the street: both backends, the device's variants and a straightforward version.
/// Without a CUDA device, only the CPU's rows are timed. Returns 1 if a method found another pose than the
/// oracle.
/// @throws KernelError
int align(const AlignOptions& options);

} // namespace scanloupe::bench
