#pragma once
// Declares the limits of the colour map over all frames of a sequence.
#include "engine/io/scan_reader.h"
#include "engine/pipeline/pipeline.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace scanloupe {

/// Limits of the colour map, in the unit of what is coloured.
struct FrameLimits {
    double low = 0, high = 0;
    std::size_t frames = 0;   ///< that have given them
    std::size_t failures = 0; ///< frames that could not be read or run
};

/// Runs each frame with its own automatic limits, in a small picture, and joins them.
/// @param recipe what is coloured by; its limits and its camera are not used
/// @param trusted the CUDA code that its layers may run; null: none
/// @param progress is called after each frame with the number of those that are done
/// @throws EngineError when no frame has given any, as classes and colours of points have none; Cancelled.
FrameLimits limitsOfFrames(std::span<const std::filesystem::path> frames, const Recipe& recipe,
                           const BackendChoice& backend, std::shared_ptr<const TrustedCode> trusted,
                           const std::function<void(std::size_t)>& progress, const std::stop_token& stop);

} // namespace scanloupe
