#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace scanloupe::bench {

struct SurfaceOptions {
    std::vector<int> edges{128, 256, 512, 1024};        ///< nodes along an axis of the dense scenes
    std::vector<int> shellEdges{512, 1024, 2048, 4096}; ///< nodes along each axis of the lattice that
                                                        ///< contains the shell
    std::vector<std::string> scenes{"gyroid", "spheres", "shell", "sweep"};
    std::vector<std::string> only; ///< prefixes of row names; empty: all rows
    int repeats = 50;
    double seconds = 240; ///< no new row starts after this time
    std::string sweep;    ///< file of float32 x, y, z, intensity
    std::string json, compare;
};

void addSurfaceOptions(CLI::App& app, SurfaceOptions& options);

/// Times marching cubes: the operator on both backends and the published baseline. Without a CUDA device,
/// only the CPU's rows are timed. Returns 1 if a method found another surface than the reference. @throws
/// KernelError
int surface(const SurfaceOptions& options);

} // namespace scanloupe::bench
