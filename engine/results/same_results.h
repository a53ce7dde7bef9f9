#pragma once
// Declares the byte-wise comparison of two runs.
#include <cstdint>
#include <optional>
#include <stop_token>

namespace scanloupe {

struct Snapshot;

/// The differences between the results of two runs. Times are not compared.
struct ResultDifference {
    bool sameVoxels = false; ///< grid, keys, counts and means; true for two volumes
    bool sameMesh = false;   ///< positions, normals and triangles
    /// Number of pixels of the pictures, and number of differing pixels. Empty unless both pictures are
    /// complete and have the same size, camera and number of samples.
    struct Pixels {
        std::uint64_t all = 0, differing = 0;
        bool operator==(const Pixels&) const = default;
    };
    std::optional<Pixels> pixels;

    bool isIdentical() const { return sameVoxels && sameMesh && pixels && pixels->differing == 0; }
    bool operator==(const ResultDifference&) const = default;
};

/// Compares two runs of the same scan. Results on the device are copied to the host unless their sizes
/// differ.
/// @throws KernelError; Cancelled
ResultDifference compareResults(const Snapshot& a, const Snapshot& b, const std::stop_token& stop);

} // namespace scanloupe
