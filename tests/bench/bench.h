#pragma once
#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"

#include <cstdint>
#include <memory>
#include <string>

namespace scanloupe::bench {

struct Options {
    std::uint64_t points = 1'000'000;
    int repeats = 15;
    std::string voxelSize = "auto";
    Backend backend = Backend::cpu;
    std::string json; ///< where figures go; empty: nowhere
};

/// The generated street scan.
std::shared_ptr<const PointCloud> streetCloud(std::uint64_t points);

/// Times what a moved slider costs: iso-value, voxel size, camera. Returns the exit code.
int pipeline(const Options& options);
/// Cancels at random instants in each stage and looks how long it takes and what memory stays. Returns 1 when
/// a cancel took over 100 ms or memory did not come back.
int cancel(const Options& options);

} // namespace scanloupe::bench
