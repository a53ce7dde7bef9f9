#pragma once
// Declares a machined part with known faults for testing inspections: its nominal model, and a scan of it.
#include "engine/io/common/progress.h"
#include "kernels/mesh/core/triangle_mesh.h"

#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe {

class PointCloud;

/// A difference between the scan of the part and its model.
struct PartFault {
    enum class Kind { bump, dent, missingHole, shiftedBoss };
    Kind kind;
    Vec3d at;        ///< position on the surface, metres
    double size = 0; ///< metres: height or depth of a bump or dent; radius of a hole; displacement of a boss
};
/// The eleven faults: bumps and dents of 0.1 to 2 mm, a missing hole, a misplaced boss.
std::span<const PartFault> partFaults();

/// Returns the nominal model: a closed plate of 120 x 80 x 12 mm with rounded edges, a boss and three holes;
/// in metres, about 200,000 triangles within 0.01 mm of the exact surface. @throws KernelError; Cancelled.
TriangleMesh partModel(const std::stop_token& stop);

struct PartScanParams {
    std::uint64_t points = 1'000'000;
    std::uint64_t seed = 1;
    double noise = 5e-5; ///< standard deviation along the normal, metres
};
/// Generates points that are distributed over the surface of the part with its faults, optionally with their
/// exact normals.
/// @throws EngineError for fewer than 1000 or more than 10^9 points; KernelError; Cancelled.
PointCloud partScan(const PartScanParams& params, bool normals, const ProgressFunction& progress,
                    const std::stop_token& stop);

} // namespace scanloupe
