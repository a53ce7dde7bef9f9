#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace scanloupe::bench {

struct RasterOptions {
    std::vector<std::uint64_t> triangles{100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};
    std::vector<std::uint64_t> points{10'000'000, 100'000'000, 1'000'000'000};
    std::vector<std::string> pictures{"1080p", "1440p", "4k"};
    std::vector<std::string> scenes{"bumpy", "bumpy-shuffled", "large", "points", "voxels", "painter"};
    std::vector<std::string> only;         ///< prefixes of row names; empty: all rows
    std::int64_t smallMeshTriangles = -1;  ///< below 0: the operator's default
    int smallPixels = 0, mediumPixels = 0; ///< pixel limits of the tiers; 0: the operator's defaults
    float pointSize = 1;                   ///< edge of a point, in pixels
    int repeats = 50;
    double seconds = 240; ///< no new case starts after this time
    bool quick = false;
    std::string json, compare;
};

void addRasterOptions(CLI::App& app, RasterOptions& options);

/// Times the rasterizer on the device: the operator, its variants and the scheme of a published demo. Each
/// picture is checked before it is timed. Returns 1 if a method drew another picture than the reference.
/// @throws KernelError
int raster(const RasterOptions& options);

} // namespace scanloupe::bench
