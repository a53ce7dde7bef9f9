#pragma once
// The first stage: points in the layout that kernels read.
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/stages/stage_run.h"

#include <memory>

namespace scanloupe {

/// The points for kernels of the host, and those on the device; null without CUDA, or if the device has too
/// little memory: points are then copied and voxelized in pieces.
struct UploadedPoints {
    std::shared_ptr<const HostPoints> host;
    std::shared_ptr<const KernelPoints> device;
    std::shared_ptr<const PointAttributes> attributes;
};

struct UploadStage {
    static constexpr Stage stage = Stage::upload;
    using Result = UploadedPoints;
    static Result compute(const StageRun& run);
    static void describe(StageTiming& timing, const StageRun& run, const Result& points);
};

} // namespace scanloupe
