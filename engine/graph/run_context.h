#pragma once
// Declares what all stages of a run share: recipe, input, limits, device and timings.
#include "kernels/core/stream.h"
#include "kernels/formula/trusted_code.h"
#include "kernels/sycl/sycl_device.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>

namespace scanloupe {

class PointCloud;
struct Recipe;
struct RunTimings;
struct Volume;

/// How much of the input is looked at: every `stride`-th point, in voxels `coarsening` times as large as
/// those of the recipe.
struct LevelOfDetail {
    std::size_t stride = 1;
    double coarsening = 1;
};

struct RunContext {
    const Recipe* recipe = nullptr;         ///< resolved; the iso-value, once the field is there
    std::shared_ptr<const Stream> stream;   ///< null without CUDA
    std::shared_ptr<const SyclDevice> sycl; ///< null unless SYCL computes
    std::shared_ptr<const PointCloud> cloud;
    std::shared_ptr<const Volume> volume;
    std::uint64_t memoryLimit = 0;       ///< bytes; 0: all available memory
    std::uint64_t deviceMemoryLimit = 0; ///< bytes on the device; 0: all free memory
    LevelOfDetail detail = {};
    std::stop_token stop = {};
    RunTimings* timings = nullptr;
    /// Releases results of earlier recipes on the device, so that their memory is available; false without
    /// any.
    std::function<bool()> releaseKeptOnDevice = {};
    std::shared_ptr<const TrustedCode> trusted = {}; ///< CUDA code that may run; null: none

    bool isVolume() const { return volume != nullptr; }
};

} // namespace scanloupe
