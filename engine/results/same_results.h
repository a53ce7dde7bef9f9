#pragma once
// Declares the comparison of two runs, byte by byte.
#include <cstdint>
#include <optional>
#include <stop_token>

namespace scanloupe {

struct Snapshot;

/// How the results of two runs differ. Times are no part of it.
struct ResultDifference {
    bool sameVoxels = false; ///< grid, keys, counts and means; true for two volumes
    bool sameMesh = false;   ///< positions, normals and triangles
    /// Number of pixels of the pictures, and of those that differ; none unless both pictures are whole and of
    /// one size, camera and number of samples.
    struct Pixels {
        std::uint64_t all = 0, differing = 0;
        bool operator==(const Pixels&) const = default;
    };
    std::optional<Pixels> pixels;

    bool isIdentical() const { return sameVoxels && sameMesh && pixels && pixels->differing == 0; }
    bool operator==(const ResultDifference&) const = default;
};

/// Compares two runs of one scan. Results on the device are copied to the host where sizes do not decide.
/// @throws KernelError; Cancelled
ResultDifference compareResults(const Snapshot& a, const Snapshot& b, const std::stop_token& stop);

} // namespace scanloupe
