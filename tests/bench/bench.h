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
    int cancels = 20;  ///< in each stage
    std::string stage; ///< of the pipeline; empty: all
    std::string scan;  ///< a file, in place of the generated scan; empty: none
    std::string json;  ///< where figures go; empty: nowhere
};

/// Of voxelizeCpu.
struct VoxelizeCpuOptions {
    std::vector<std::uint64_t> points{1'000'000, 10'000'000};
    int repeats = 9;
    double voxelSize = 0;    ///< of its three sizes the one that is so long along x; 0: all
    std::string strategy;    ///< by name; empty: all
    std::string cloudFolder; ///< where the clouds go, as ORDER_POINTS.f32 [points, 3]; empty: nowhere
    std::string json;        ///< where figures go; empty: nowhere
};

/// The generated street scan.
std::shared_ptr<const PointCloud> streetCloud(std::uint64_t points);

/// Times what a moved slider costs: iso-value, voxel size, camera. Returns the exit code.
int pipeline(const Options& options);
/// Cancels at random instants in each stage and looks how long it takes and what memory stays. Returns 1 when
/// a cancel took over 100 ms or memory did not come back.
int cancel(const Options& options);
/// Times the strategies of the CPU backend on the `surface` cloud, after comparing their voxels with the
/// sort's. Returns the exit code.
int voxelizeCpu(const VoxelizeCpuOptions& options);

struct PiecesOptions {
    std::uint64_t points = 1'000'000'000;
    std::vector<std::uint64_t> pieceSizes{1 << 22, 1 << 24};
    int repeats = 5;
    std::string json; ///< where figures go; empty: nowhere
};

/// Times the upload of a large cloud in pieces, and how much of the work on the device it hides. Returns the
/// exit code.
int voxelizePieces(const PiecesOptions& options);

struct FramesOptions {
    std::string folder;
    int frames = 200;   ///< the scans of the folder, over and over
    bool fixed = false; ///< values that are chosen from the data are those of the first frame
    Backend backend = Backend::cpu;
    std::string json; ///< where figures go; empty: nowhere
};

/// Runs the scans of a folder as the frames of a sequence, read one by one and read ahead. Returns the exit
/// code.
int frames(const FramesOptions& options);

struct QualityOptions {
    std::uint64_t triangles = 500'000;
    std::uint64_t points = 1'000'000;
    int repeats = 9;
    std::string json; ///< where figures go; empty: nowhere
};

/// Times clean-up and quality figures of a mesh. Returns the exit code.
int quality(const QualityOptions& options);

struct HistogramOptions {
    std::uint64_t values = 100'000'000;
    int repeats = 9;
    std::string json; ///< where figures go; empty: nowhere
};

/// Times histograms of a column. Returns the exit code.
int histograms(const HistogramOptions& options);

struct EditOptions {
    std::uint64_t lassoPoints = 100'000'000;
    std::uint64_t points = 1'000'000; ///< of the scan that the eraser works on
    std::string voxelSize = "0.1";
    int repeats = 15;
    Backend backend = Backend::cpu;
    std::string json; ///< where figures go; empty: nowhere
};

/// Times a lasso over many points, and dabs of the eraser up to the picture. Returns the exit code.
int edit(const EditOptions& options);

} // namespace scanloupe::bench
