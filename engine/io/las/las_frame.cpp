// Finds scale factors and offsets with which a cloud's coordinates are preserved when quantized to 32-bit
// integers.
#include "engine/io/las/las_frame.h"

#include "engine/cloud/point_cloud.h"
#include "engine/cloud/reference/coordinate_reference.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <cmath>

namespace scanloupe::detail {

namespace {

constexpr double kMaxStored = 2147483647; // maximum stored integer
constexpr std::size_t kLasFrameGrain = std::size_t{1} << 15;

/// Whether quantization preserves every finite coordinate of `axis`; compared as floats if the cloud stores
/// floats.
bool roundTrips(const PointCloud& cloud, const LasFrame& frame, int axis, std::size_t stride,
                const std::stop_token& stop) {
    const ScaledFrame back(frame.scale, frame.offset);
    const bool floats = std::holds_alternative<FloatPositions>(cloud.positions());
    return parallelReduce(
        cloud.size() / stride, kLasFrameGrain, stop, true,
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const Vec3d position = cloud.position(i * stride);
                if (!isFinite(position))
                    continue;
                const double again = back.value(frame.quantize(position)[axis], axis);
                const bool same = floats ? static_cast<float>(again) == static_cast<float>(position[axis])
                                         : again == position[axis];
                if (!same)
                    return false;
            }
            return true;
        },
        [](bool a, bool b) { return a && b; });
}

/// Like roundTrips(), but tests a sample first, which rejects most wrong candidates.
bool fits(const PointCloud& cloud, const LasFrame& frame, int axis, const std::stop_token& stop) {
    const std::size_t stride = std::max<std::size_t>(1, cloud.size() / 1000);
    return roundTrips(cloud, frame, axis, stride, stop) &&
           (stride == 1 || roundTrips(cloud, frame, axis, 1, stop));
}

/// Returns a power of ten for coordinates that no scale preserves exactly: 0.1 mm, or the equivalent in
/// degrees; finer for small objects, coarser if 32 bits require it.
double decimalStep(double reach, bool isDegrees) {
    constexpr double share = 1e-6; // step relative to the largest distance from the offset
    const double wanted = std::min(isDegrees ? -9.0 : -4.0, std::floor(std::log10(reach * share)));
    const double exponent = std::max(wanted, std::ceil(std::log10(reach / kMaxStored)));
    return exponent < 0 ? 1 / std::pow(10.0, -exponent) : std::pow(10.0, exponent); // the double nearest to
                                                                                    // the decimal number
}

} // namespace

Vec3i LasFrame::quantize(Vec3d position) const {
    Vec3i steps;
    for (int axis = 0; axis < 3; ++axis)
        steps[axis] = static_cast<std::int32_t>(
            std::clamp(std::round((position[axis] - offset[axis]) / scale[axis]), -kMaxStored, kMaxStored));
    return steps;
}

LasFrame chooseLasFrame(const PointCloud& cloud, const std::stop_token& stop) {
    if (const auto* held = std::get_if<ScaledPositions>(&cloud.positions()))
        return {held->scale, held->offset, true};
    LasFrame frame;
    frame.offset = cloud.origin();
    for (int axis = 0; axis < 3; ++axis) {
        const double reach = std::max({std::abs(cloud.bounds().min[axis] - frame.offset[axis]),
                                       std::abs(cloud.bounds().max[axis] - frame.offset[axis]), 1e-30});
        bool found = false;
        double whole = 1;
        for (int digits = 0; digits <= 9 && !found; ++digits, whole *= 10) {
            frame.scale[axis] = 1 / whole;
            if (reach * whole <= kMaxStored)
                found = fits(cloud, frame, axis, stop);
        }
        if (found)
            continue;
        // Digits below a micrometre are noise of single precision.
        frame.scale[axis] = std::exp2(std::max(-20.0, std::ceil(std::log2(reach / kMaxStored))));
        if (fits(cloud, frame, axis, stop))
            continue;
        const bool isDegrees = axis < 2 && referenceOf(&cloud).unit == LengthUnit::degree;
        frame.scale[axis] = decimalStep(reach, isDegrees);
        frame.exact = false;
    }
    return frame;
}

} // namespace scanloupe::detail
