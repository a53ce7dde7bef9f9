// Compares two scans along their normals.
#include "kernels/change/m3c2.h"

#include "kernels/change/m3c2_element.h"
#include "kernels/core/error.h"
#include "kernels/core/queue/queue_body.h"

#include <cmath>
#include <limits>
#include <string>

namespace scanloupe {

namespace {
/// @throws KernelError for parameters that are not lengths
void checkM3c2(const M3c2Params& params) {
    const auto isLength = [](double v) { return v > 0 && std::isfinite(v); };
    if (!isLength(params.normalScale) || !isLength(params.diameter) || !isLength(params.depth) ||
        !(params.registrationError >= 0 && std::isfinite(params.registrationError)))
        throw KernelError("the normal scale, the cylinder's diameter and its depth must be lengths above 0, "
                          "the registration error 0 or more",
                          "Correct the one that is not, or leave it out to have it chosen from the data.");
}
} // namespace

Buffer<M3c2Change> m3c2(Queue& q, const Buffer<Vec3f>& places, const TreePoints& first,
                        const TreePoints& second, const M3c2Params& params) {
    checkM3c2(params);
    constexpr float none = std::numeric_limits<float>::quiet_NaN();
    constexpr LongItems limits{1, std::size_t{1} << 13}; // a single place may visit millions of points
    auto changes = bufferOn<M3c2Change>(q, places.size());
    const Vec3f* const at = places.data();
    M3c2Change* const to = changes.data();
    q.forEachLong(places.size(), limits,
                  [=] HD(std::size_t i) { to[i] = m3c2At(at[i], first, second, params, none); });
    return changes;
}

} // namespace scanloupe
