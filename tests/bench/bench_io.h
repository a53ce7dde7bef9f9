#pragma once
// Declares the benchmark of reading files, with other programs for comparison.
#include "engine/cloud/point_cloud.h"

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace scanloupe::bench {

struct IoOptions {
    std::uint64_t points = 50'000'000;
    int repeats = 5;
    std::string folder = "io-bench"; ///< folder for the files, which are kept
    std::string python = "/usr/bin/python3";
    std::vector<std::string> endings{".las", ".laz", ".ply", ".pcd", ".xyz"};
    std::string json; ///< file for the figures; empty: none
    std::string one;  ///< file to read once by `way`; set when the benchmark runs itself as a child process
    std::string way = "scanloupe";
};

/// The street in UTM coordinates in millimetres, with the mandatory fields of LAS. As a LAS file, it has
/// point format 6.
PointCloud utmCloud(std::uint64_t points);

void addIoOptions(CLI::App& app, IoOptions& options);

/// Writes a generated scan in UTM coordinates in steps of a millimetre, and reads each file in a separate
/// process. Reports the median wall time, and the peak memory relative to the size of the cloud. Returns the
/// exit code.
int io(const IoOptions& options);

} // namespace scanloupe::bench
