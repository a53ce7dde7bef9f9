#pragma once
// Declares the first stage, which converts points to the memory layout of the kernels.
#include "engine/graph/stage_run.h"

#include <cstdint>
#include <memory>

namespace scanloupe {

class HostPoints;
struct KernelPoints;
class PointAttributes;

/// The points on the host and on the device. The copy on the device is null without CUDA, or if the device
/// memory is too small; points are then copied and voxelized in pieces.
struct UploadedPoints {
    std::shared_ptr<const HostPoints> host;
    std::shared_ptr<const KernelPoints> device;
    std::shared_ptr<const PointAttributes> attributes;
};

struct UploadStage {
    static constexpr Stage stage = Stage::upload;
    using Result = UploadedPoints;
    static StageDeclaration declaration();
    static Result compute(const StageRun& run);
    static void describe(StageTiming& timing, const StageRun& run, const Result& points);
    static StageMemory bytes(const RunSize& size, const Recipe& resolved);
    static StageWork work(const RunSize& size, const Recipe& resolved);
};

/// Checks that the coordinates of `points` points fit in host memory. @throws HostMemoryShort
void requireHostPointsMemory(const RunContext& run, std::uint64_t points);

} // namespace scanloupe
