#pragma once
// Declares the comparison of SYCL with the other backends.
#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace scanloupe::bench {

struct SyclOptions {
    std::vector<std::string> scenes{"gyroid", "spheres", "shell"};
    std::vector<int> edges{128, 256, 512}; ///< nodes along an axis
    std::vector<std::uint64_t> points{10'000'000};
    int rounds = 9;
};

void addSyclOptions(CLI::App& app, SyclOptions& options);

/// Times marching cubes, step by step, and the chain from points to picture on each backend, and compares the
/// resulting bytes. Also times the published walk-through.
/// @returns 0 if all results are the same
int sycl(const SyclOptions& options);

} // namespace scanloupe::bench
