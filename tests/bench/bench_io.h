#pragma once
// Reading files: our readers beside what else there is.
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
    std::string folder = "io-bench"; ///< where the files are made, and left
    std::string python = "/usr/bin/python3";
    std::vector<std::string> endings{".las", ".laz", ".ply", ".pcd", ".xyz"};
    std::string json; ///< where figures go; empty: nowhere
    std::string one;  ///< a file to read once, by `way`: what the program calls itself for
    std::string way = "scanloupe";
};

/// The street at UTM coordinates in millimetres, with what a LAS point has at least. Written as LAS, it has
/// point format 6.
PointCloud utmCloud(std::uint64_t points);

void addIoOptions(CLI::App& app, IoOptions& options);

/// Makes files of a generated scan at UTM coordinates, millimetre steps, and reads each in programs of their
/// own: medians of wall time, and the most memory taken against the size of the cloud. Returns the exit code.
int io(const IoOptions& options);

} // namespace scanloupe::bench
