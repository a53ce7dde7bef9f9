#pragma once
#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace scanloupe::bench {

struct Options {
    std::uint64_t points = 1'000'000;
    int repeats = 15;
    std::string voxelSize = "auto";
    Backend backend = Backend::cpu;
    int cancels = 20;  ///< number in each stage
    std::string stage; ///< stage of the pipeline; empty: all
    std::string scan;  ///< a file that replaces the generated scan; empty: none
    std::string json;  ///< file for the figures; empty: none
};

/// Options of voxelizeCpu().
struct VoxelizeCpuOptions {
    std::vector<std::uint64_t> points{1'000'000, 10'000'000};
    int repeats = 9;
    double voxelSize = 0;    ///< among its three sizes, the one with this edge along x; 0: all
    std::string strategy;    ///< by name; empty: all
    std::string cloudFolder; ///< folder for the clouds, as ORDER_POINTS.f32 [points, 3]; empty: none
    std::string json;        ///< file for the figures; empty: none
};

/// The generated street scan.
std::shared_ptr<const PointCloud> streetCloud(std::uint64_t points);

/// Times the update after moving a slider: iso-value, voxel size, camera. Returns the exit code.
int pipeline(const Options& options);
/// Cancels at random instants in each stage, and measures the delay and the remaining memory. Returns 1 when
/// a cancellation took over 100 ms or memory was not released.
int cancel(const Options& options);
/// Times the strategies of the CPU backend on the `surface` cloud, after comparing their voxels with the
/// sort's. Returns the exit code.
int voxelizeCpu(const VoxelizeCpuOptions& options);

struct PiecesOptions {
    std::uint64_t points = 1'000'000'000;
    std::vector<std::uint64_t> pieceSizes{1 << 22, 1 << 24};
    int repeats = 5;
    std::string json; ///< file for the figures; empty: none
};

/// Times the upload of a large cloud in pieces, and how much of the work on the device it hides. Returns the
/// exit code.
int voxelizePieces(const PiecesOptions& options);

struct FramesOptions {
    std::string folder;
    int frames = 200;   ///< the scans of the folder, over and over
    bool fixed = false; ///< values that are chosen from the data are those of the first frame
    Backend backend = Backend::cpu;
    std::string json; ///< file for the figures; empty: none
};

/// Runs the scans of a folder as the frames of a sequence, read one by one and read ahead. Returns the exit
/// code.
int frames(const FramesOptions& options);

struct QualityOptions {
    std::uint64_t triangles = 500'000;
    std::uint64_t points = 1'000'000;
    int repeats = 9;
    std::string json; ///< file for the figures; empty: none
};

/// Times clean-up and quality figures of a mesh. Returns the exit code.
int quality(const QualityOptions& options);

struct HistogramOptions {
    std::uint64_t values = 100'000'000;
    int repeats = 9;
    std::string json; ///< file for the figures; empty: none
};

/// Times histograms of a column. Returns the exit code.
int histograms(const HistogramOptions& options);

struct EditOptions {
    std::uint64_t lassoPoints = 100'000'000;
    std::uint64_t points = 1'000'000; ///< points of the scan for the eraser
    std::string voxelSize = "0.1";
    int repeats = 15;
    Backend backend = Backend::cpu;
    std::string json; ///< file for the figures; empty: none
};

/// Times a lasso over many points, and dabs of the eraser up to the picture. Returns the exit code.
int edit(const EditOptions& options);

} // namespace scanloupe::bench
