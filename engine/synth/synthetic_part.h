#pragma once
// Declares a machined part with known faults, for trying inspections: its model, and a scan of it.
#include "engine/io/common/progress.h"
#include "kernels/mesh/core/triangle_mesh.h"

#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe {

class PointCloud;

/// How a scan of the part differs from its model.
struct PartFault {
    enum class Kind { bump, dent, missingHole, shiftedBoss };
    Kind kind;
    Vec3d at;        ///< metres, on the surface
    double size = 0; ///< metres: height or depth of a bump or dent; radius of a hole; displacement of a boss
};
/// The eleven faults: bumps and dents of 0.1 to 2 mm, a missing hole, a misplaced boss.
std::span<const PartFault> partFaults();

/// The model: a plate of 120 x 80 x 12 mm with round edges, a boss and three holes; closed, in metres, some
/// 200,000 triangles within 0.01 mm of the true surface. @throws KernelError; Cancelled.
TriangleMesh partModel(const std::stop_token& stop);

struct PartScanParams {
    std::uint64_t points = 1'000'000;
    std::uint64_t seed = 1;
    double noise = 5e-5; ///< standard deviation along the normal, metres
};
/// Points all over the surface of the part with its faults, optionally with their true normals.
/// @throws EngineError for fewer than a thousand points, or more than a thousand million; KernelError;
/// Cancelled.
PointCloud partScan(const PartScanParams& params, bool normals, const ProgressFunction& progress,
                    const std::stop_token& stop);

} // namespace scanloupe
