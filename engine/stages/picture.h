#pragma once
// Declares the stages from results to pixels: scene, rasterization, and refinement by supersampling.
#include "engine/graph/stage_run.h"
#include "engine/picture/picture_scene.h"
#include "kernels/raster/resolve/samples.h"

#include <memory>

namespace scanloupe {

struct Picture;

/// Builds the scene: the primitives that the recipe shows, with their colours.
struct SceneStage {
    static constexpr Stage stage = Stage::scene;
    using Result = std::shared_ptr<const PictureScene>;
    static StageDeclaration declaration();
    /// Builds the scene. @throws EngineError if the recipe colours by an attribute that the scan lacks, or if
    /// the memory is too small
    static Result compute(const StageRun& run);
};

/// A picture, and the sums of its samples, which are empty until the picture is refined.
struct PictureInProgress {
    std::shared_ptr<const PictureScene> scene; ///< scene that the picture shows
    std::shared_ptr<const Picture> picture;
    SampleSums samples;
    bool isDrawnBefore = false; ///< the picture was reused: an earlier recipe describes the same view in
                                ///< another way
};

struct PictureStage {
    static constexpr Stage stage = Stage::picture;
    using Result = std::shared_ptr<PictureInProgress>;
    static StageDeclaration declaration();
    /// Draws the picture. @param recipe recipe of the run, for the number of samples
    /// @param ms time budget for very many points; 0: no limit
    /// @throws EngineError if the memory is too small
    static Result compute(const StageRun& run, const Recipe& recipe, double ms);
    static bool isEnough(const Result& result, const Recipe& recipe, double ms);
    static void describe(StageTiming& timing, const StageRun& run, const Result& result);
    /// Includes the memory of the scene.
    static StageMemory bytes(const RunSize& size, const Recipe& resolved);
    static StageWork work(const RunSize& size, const Recipe& resolved);
};

/// Returns the camera of the recipe's picture. FieldStage must have run.
Camera pictureCamera(const StageRun& run);
/// Returns the picture of this run; if it must be drawn, with one sample per pixel.
std::shared_ptr<const Picture> runPicture(const StageRun& run, double ms);
/// Returns the completed last picture as the mean of `samples` samples per pixel.
std::shared_ptr<const Picture> refinePicture(const StageRun& run, int samples);

} // namespace scanloupe
