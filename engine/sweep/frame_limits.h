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
    std::size_t frames = 0;   ///< frames that contributed
    std::size_t failures = 0; ///< frames that could not be read or run
};

/// Runs each frame with its own automatic limits, in a small picture, and joins the limits.
/// @param recipe selects the coloured values; its limits and its camera are not used
/// @param trusted the CUDA code that its layers may run; null: none
/// @param progress is called after each frame with the number of finished frames
/// @throws EngineError when no frame has limits, as for classes and colours of points; Cancelled.
FrameLimits limitsOfFrames(std::span<const std::filesystem::path> frames, const Recipe& recipe,
                           const BackendChoice& backend, std::shared_ptr<const TrustedCode> trusted,
                           const std::function<void(std::size_t)>& progress, const std::stop_token& stop);

} // namespace scanloupe
