#pragma once
// Declares the limits of the colour map over all frames of a sequence.
#include "engine/io/scan_reader.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace scanloupe {

struct BackendChoice;
struct Recipe;
class TrustedCode;

/// Limits of the colour map, in the unit of the coloured values.
struct FrameLimits {
    double low = 0, high = 0;
    std::size_t frames = 0;   ///< number of frames that contributed
    std::size_t failures = 0; ///< number of frames that could not be read or run
};

/// Runs each frame with its own automatic limits and a small picture, and returns the union of the limits.
/// @param recipe selects the coloured values; its limits and its camera are ignored
/// @param trusted CUDA code that layers may run; null: none
/// @param progress called after each frame with the number of finished frames
/// @throws EngineError if no frame has limits, e.g. for classes and point colours; Cancelled.
FrameLimits limitsOfFrames(std::span<const std::filesystem::path> frames, const Recipe& recipe,
                           const BackendChoice& backend, std::shared_ptr<const TrustedCode> trusted,
                           const std::function<void(std::size_t)>& progress, const std::stop_token& stop);

} // namespace scanloupe
