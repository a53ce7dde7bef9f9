#pragma once
// Declares the comparison of two scans along their surface normals (M3C2; Lague, Brodu and Leroux, "Accurate
// 3D comparison of complex topography with terrestrial laser scanner", 2013).
#include "kernels/change/tree_points.h"
#include "kernels/core/queue/queue.h"
#include "kernels/core/vec3.h"

#include <cstdint>

namespace scanloupe {

struct M3c2Params {
    /// metres; diameter of the ball whose points determine the normal at a place
    double normalScale = 0;
    double diameter = 0; ///< metres; diameter of the cylinder along the normal in which points are averaged
    double depth = 0;    ///< metres; length of the cylinder on each side of the place
    double registrationError = 0; ///< metres; registration error between the two scans
    Vec3d towards{0, 0, 1};       ///< direction: normals are flipped to point to this side
};

/// The change at one place.
struct M3c2Change {
    /// metres along the normal, from the first scan to the second; NaN if a cylinder is empty
    float distance = 0;
    /// Level of detection, metres: larger distances are significant with 95 % confidence. NaN if the cylinder
    /// contains fewer than two points of either scan.
    float detection = 0;
    float spread1 = 0, spread2 = 0; ///< metres; standard deviation along the normal of each scan's points;
                                    ///< NaN for fewer than two points
    std::uint32_t count1 = 0, count2 = 0; ///< number of each scan's points in the cylinder
};

/// The change between two scans at each place, [N]. All data lies where it computes. Asynchronous on the
/// device, but for stops. @param places NaN gives no change @throws KernelError for parameters that are not
/// lengths; DeviceMemoryShort; Cancelled.
Buffer<M3c2Change> m3c2(HostQueue& q, const Buffer<Vec3f>& places, const TreePoints& first,
                        const TreePoints& second, const M3c2Params& params);
Buffer<M3c2Change> m3c2(CudaQueue& q, const Buffer<Vec3f>& places, const TreePoints& first,
                        const TreePoints& second, const M3c2Params& params);
inline Buffer<M3c2Change> m3c2(const Buffer<Vec3f>& places, const TreePoints& first, const TreePoints& second,
                               const M3c2Params& params, const Execution& on) {
    return onQueue(on, [&](auto& q) { return m3c2(q, places, first, second, params); });
}

} // namespace scanloupe
