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
    int cancels = 20;  ///< number of cancellations in each stage
    std::string stage; ///< stage of the pipeline; empty: all
    std::string scan;  ///< a file that replaces the generated scan; empty: none
    std::string json;  ///< file for the figures; empty: none
};

/// Options of voxelizeCpu().
struct VoxelizeCpuOptions {
    std::vector<std::uint64_t> points{1'000'000, 10'000'000};
    int repeats = 9;
    double voxelSize = 0;    ///< edge along x of the only voxel size to run; 0: all three sizes
    std::string strategy;    ///< name of the only strategy to time; empty: all
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
/// Times the strategies of the CPU backend on the `surface` cloud, after checking that each finds the same
/// voxels as the sort. Returns the exit code.
int voxelizeCpu(const VoxelizeCpuOptions& options);

struct PiecesOptions {
    std::uint64_t points = 1'000'000'000;
    std::vector<std::uint64_t> pieceSizes{1 << 22, 1 << 24};
    int repeats = 5;
    std::string json; ///< file for the figures; empty: none
};

/// Times the upload of a large cloud in pieces, and reports how much of the device's work overlaps with the
/// upload. Returns the exit code.
int voxelizePieces(const PiecesOptions& options);

struct FramesOptions {
    std::string folder;
    int frames = 200;   ///< number of frames: the scans of the folder, repeated as often as necessary
    bool fixed = false; ///< use the first frame's automatic parameter values for all frames
    Backend backend = Backend::cpu;
    std::string json; ///< file for the figures; empty: none
};

/// Runs the scans of a folder as the frames of a sequence: once reading them one by one, once reading ahead.
/// Returns the exit code.
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

/// Times a lasso over many points, and brush dabs of the eraser until the new picture is complete. Returns
/// the exit code.
int edit(const EditOptions& options);

} // namespace scanloupe::bench
