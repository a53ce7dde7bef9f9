#pragma once
// Declares the benchmark of opening files: times from the path to the first picture and to the complete scan.
#include "engine/compute/backend.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace scanloupe::bench {

struct OpenOptions {
    std::vector<std::string> files;
    int repeats = 5;
    Backend backend = Backend::cpu;
    std::string python = "/usr/bin/python3";
    std::string cloudCompare = "CloudCompare";
    std::string json; ///< file for the figures; empty: none
    std::string one;  ///< file to open once; set when the benchmark runs itself as a child process
};

void addOpenOptions(CLI::App& app, OpenOptions& options);

/// Opens each file as the window does, each in a separate process: first a subsample, then the whole scan
/// with voxels, mesh and picture, then other voxel sizes. Prints medians next to the times in which Open3D
/// and CloudCompare read the file, where they are installed. Returns the exit code.
int open(const OpenOptions& options);

} // namespace scanloupe::bench
