#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace scanloupe::bench {

struct VoxelizeOptions {
    std::vector<std::uint64_t> points{50'000, 1'000'000, 10'000'000, 100'000'000};
    std::vector<std::string> sizes{"0.075x0.075x0.2", "0.2", "0.5"};
    std::vector<std::string> orders{"scan", "shuffled", "morton", "random"};
    std::vector<std::string> scenes{"surface", "frame", "dense"};
    std::vector<std::string> only; ///< prefixes of row names; empty: all rows
    int repeats = 50;
    double seconds = 240; ///< no new row starts after this time
    std::string frame, json, markdown, compare;
    std::string profile; ///< name of a row that is run once for a profiler; empty: none
    bool list = false;
};

void addVoxelizeOptions(CLI::App& app, VoxelizeOptions& options);

/// Times voxelization: the operator, published baselines and counting alternatives. Returns 1 when a method's
/// result differs from the reference. @throws KernelError without a CUDA device
int voxelize(const VoxelizeOptions& options);

} // namespace scanloupe::bench
