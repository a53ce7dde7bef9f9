#pragma once
// Declares the comparison of two scans along the normals of their surface (M3C2; Lague, Brodu and Leroux,
// "Accurate 3D comparison of complex topography with terrestrial laser scanner", 2013).
#include "kernels/change/tree_points.h"
#include "kernels/core/buffer.h"
#include "kernels/core/vec3.h"

#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe {

struct M3c2Params {
    double normalScale =
        0; ///< metres; normals are those of planes fitted to what lies in a ball of this diameter
    double diameter = 0;          ///< metres, of the cylinders along the normals
    double depth = 0;             ///< metres; a cylinder reaches so far to both sides
    double registrationError = 0; ///< metres; of the alignment of the two scans
    Vec3d towards{0, 0, 1};       ///< normals point to this side
};

/// The change at one place.
struct M3c2Change {
    float distance =
        0; ///< metres along the normal, from the first scan to the second; NaN where a cylinder is empty
    /// Metres: a distance is significant, with 95 % confidence, when it is larger (level of detection); NaN
    /// where a cylinder has less than two points of a scan.
    float detection = 0;
    float spread1 = 0, spread2 = 0;       ///< standard deviations along the normal; NaN as `detection`
    std::uint32_t count1 = 0, count2 = 0; ///< points in the cylinder
};

namespace cpu {
/// The change at each place, [N], between two scans. @param places NaN gives none @throws KernelError for
/// parameters that are no lengths; Cancelled.
Buffer<M3c2Change> m3c2(std::span<const Vec3f> places, const TreePoints& first, const TreePoints& second,
                        const M3c2Params& params, const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// As cpu::m3c2, with the same bytes; all lies on the device. Asynchronous but for cancelling.
Buffer<M3c2Change> m3c2(const Buffer<Vec3f>& places, const TreePoints& first, const TreePoints& second,
                        const M3c2Params& params, const std::stop_token& stop, StreamView stream);
} // namespace cuda

namespace detail {
/// @throws KernelError for parameters that are no lengths
void checkM3c2(const M3c2Params& params);
} // namespace detail

} // namespace scanloupe
