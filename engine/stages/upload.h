#pragma once
// The first stage: points in the layout that kernels read.
#include "engine/graph/stage_run.h"

#include <cstdint>
#include <memory>

namespace scanloupe {

class HostPoints;
struct KernelPoints;
class PointAttributes;

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
    static StageDeclaration declaration();
    static Result compute(const StageRun& run);
    static void describe(StageTiming& timing, const StageRun& run, const Result& points);
    static StageMemory bytes(const RunSize& size, const Recipe& resolved);
    static StageWork work(const RunSize& size, const Recipe& resolved);
};

/// Rejects so many points for kernels of the host. @throws HostMemoryShort when their coordinates would not
/// fit
void requireHostPointsMemory(const RunContext& run, std::uint64_t points);

} // namespace scanloupe
