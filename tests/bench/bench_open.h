#pragma once
// Opening files: from the path to the first picture and to the whole.
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
    std::string json; ///< where figures go; empty: nowhere
    std::string one;  ///< a file to open once: what the program calls itself for
};

void addOpenOptions(CLI::App& app, OpenOptions& options);

/// Opens each file as the window does, in programs of their own: a first look, then the whole, voxels, mesh
/// and picture included, then other voxel sizes. Prints medians beside the times in which Open3D and
/// CloudCompare read the file, where they are installed. Returns the exit code.
int open(const OpenOptions& options);

} // namespace scanloupe::bench
