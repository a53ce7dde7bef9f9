#pragma once
// The stages from results to pixels: scene, rasterization, and refinement by supersampling.
#include "engine/graph/stage_run.h"
#include "engine/picture/picture_scene.h"
#include "kernels/raster/resolve/samples.h"

#include <memory>

namespace scanloupe {

struct Picture;

/// What the recipe shows, with its colours.
struct SceneStage {
    static constexpr Stage stage = Stage::scene;
    using Result = std::shared_ptr<const PictureScene>;
    static StageDeclaration declaration();
    /// @throws EngineError when the recipe colours by an attribute that the scan doesn't have, or when memory
    /// is too small
    static Result compute(const StageRun& run);
};

/// A picture, and the sums of its samples, which are empty until it is refined.
struct PictureInProgress {
    std::shared_ptr<const PictureScene> scene; ///< that it shows
    std::shared_ptr<const Picture> picture;
    SampleSums samples;
    bool isDrawnBefore = false; ///< for an earlier recipe that says the same view in other words
};

struct PictureStage {
    static constexpr Stage stage = Stage::picture;
    using Result = std::shared_ptr<PictureInProgress>;
    static StageDeclaration declaration();
    /// @param recipe of the run, for its samples; @param ms time budget for very many points; 0: no limit
    /// @throws EngineError when memory is too small
    static Result compute(const StageRun& run, const Recipe& recipe, double ms);
    static bool isEnough(const Result& result, const Recipe& recipe, double ms);
    static void describe(StageTiming& timing, const StageRun& run, const Result& result);
    /// With its scene.
    static StageMemory bytes(const RunSize& size, const Recipe& resolved);
    static StageWork work(const RunSize& size, const Recipe& resolved);
};

/// The camera of the recipe's picture. The field has run before.
Camera pictureCamera(const StageRun& run);
/// The picture of the results of this run, one sample a pixel if it has to be made.
std::shared_ptr<const Picture> runPicture(const StageRun& run, double ms);
/// The last picture, complete, as the mean of `samples` samples a pixel.
std::shared_ptr<const Picture> refinePicture(const StageRun& run, int samples);

} // namespace scanloupe
