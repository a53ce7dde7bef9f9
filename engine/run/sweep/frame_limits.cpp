// Finds the colour limits of a sequence by running its frames.
#include "engine/run/sweep/frame_limits.h"

#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/io/common/read_options.h"
#include "engine/io/volume/read_volume.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "engine/run/pipeline/pipeline.h"
#include "kernels/core/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace scanloupe {

FrameLimits limitsOfFrames(std::span<const std::filesystem::path> frames, const Recipe& recipe,
                           const BackendChoice& backend, std::shared_ptr<const TrustedCode> trusted,
                           const std::function<void(std::size_t)>& progress, const std::stop_token& stop) {
    Recipe small = recipe;
    small.colourLow = small.colourHigh = std::nullopt;
    small.camera = std::nullopt;
    small.imageWidth = small.imageHeight = 16;
    small.quality = QualityChoice::off;
    Pipeline pipeline(backend);
    pipeline.setTrustedCode(std::move(trusted));
    FrameLimits limits;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        try {
            const auto cloud = readScan(frames[i], {}, stop);
            pipeline.setInput(cloud, 0);
            const Snapshot snapshot = pipeline.run(small, {}, stop);
            if (snapshot.picture->mapped) { // frames without coloured values are skipped
                const double low = snapshot.picture->low, high = snapshot.picture->high;
                limits.low = limits.frames == 0 ? low : std::min(limits.low, low);
                limits.high = limits.frames == 0 ? high : std::max(limits.high, high);
                ++limits.frames;
            }
        } catch (const Cancelled&) {
            throw;
        } catch (const Error&) {
            ++limits.failures; // the error is reported when the frame is shown
        }
        progress(i + 1);
    }
    if (limits.frames == 0 || !(limits.low < limits.high))
        throw EngineError(
            fmt::format("None of the {} frames has values for colour limits when coloured by '{}'.",
                        frames.size(), recipe.colourBy),
            "Colour by a numeric attribute, such as height or intensity.");
    return limits;
}

} // namespace scanloupe
