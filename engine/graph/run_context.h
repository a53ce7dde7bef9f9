#pragma once
// Declares the data that all stages of a run share: recipe, input, limits, device and timings.
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

/// The part of the input that a preview uses: every `stride`-th point, in voxels that are `coarsening` times
/// as large as in the recipe.
struct LevelOfDetail {
    std::size_t stride = 1;
    double coarsening = 1;
};

struct RunContext {
    const Recipe* recipe = nullptr;         ///< resolved; its iso-value is set after the field was computed
    std::shared_ptr<const Stream> stream;   ///< null without CUDA
    std::shared_ptr<const SyclDevice> sycl; ///< null unless SYCL computes
    std::shared_ptr<const PointCloud> cloud;
    std::shared_ptr<const Volume> volume;
    std::uint64_t memoryLimit = 0;       ///< host memory, bytes; 0: all available memory
    std::uint64_t deviceMemoryLimit = 0; ///< device memory, bytes; 0: all free memory
    LevelOfDetail detail = {};
    std::stop_token stop = {};
    RunTimings* timings = nullptr;
    /// Releases the results of earlier recipes on the device to free its memory. Returns false if there are
    /// none.
    std::function<bool()> releaseKeptOnDevice = {};
    std::shared_ptr<const TrustedCode> trusted = {}; ///< CUDA code that may run; null: none

    bool isVolume() const { return volume != nullptr; }
};

} // namespace scanloupe
