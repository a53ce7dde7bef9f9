#pragma once
// Declares the render target of the CPU backend.
#include "kernels/raster/core/raster_element.h"
#include "kernels/raster/core/raster_scene.h"

#include <atomic>

namespace scanloupe::cpu {

/// The visibility buffer during drawing.
struct RasterTarget {
    std::uint64_t* pixels; ///< [height, width] values of the visibility buffer
    RasterView view;

    std::uint64_t& at(int x, int y) const {
        return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(view.width) +
                      static_cast<std::size_t>(x)];
    }
    /// Stores `value` if it is larger than the pixel. Thread-safe.
    void draw(int x, int y, std::uint64_t value) const {
        std::atomic_ref<std::uint64_t> pixel(at(x, y));
        std::uint64_t old = pixel.load(std::memory_order_relaxed);
        while (old < value && !pixel.compare_exchange_weak(old, value, std::memory_order_relaxed)) {
        }
    }
    /// Returns a lower bound of the depth key of a pixel.
    std::uint32_t keyAt(int x, int y) const {
        return static_cast<std::uint32_t>(
            std::atomic_ref<std::uint64_t>(at(x, y)).load(std::memory_order_relaxed) >> 32);
    }
};

/// Number of pixels above which a primitive is deferred, and drawn by all threads together in bands of rows.
inline constexpr std::int64_t kLargePixels = 4096;
inline constexpr int kBandRows = 16;

} // namespace scanloupe::cpu
