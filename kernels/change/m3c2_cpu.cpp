// Compares two scans along their normals on the CPU.
#include "kernels/change/m3c2.h"
#include "kernels/change/m3c2_element.h"
#include "kernels/core/error.h"
#include "kernels/core/parallel.h"

#include <cmath>
#include <limits>

namespace scanloupe {

void detail::checkM3c2(const M3c2Params& params) {
    const auto isLength = [](double v) { return v > 0 && std::isfinite(v); };
    if (!isLength(params.normalScale) || !isLength(params.diameter) || !isLength(params.depth) ||
        !(params.registrationError >= 0 && std::isfinite(params.registrationError)))
        throw KernelError("the normal scale, the cylinder's diameter and its depth must be lengths above 0, "
                          "the registration error 0 or more",
                          "Correct the one that is not, or leave it out to have it chosen from the data.");
}

Buffer<M3c2Change> cpu::m3c2(std::span<const Vec3f> places, const TreePoints& first, const TreePoints& second,
                             const M3c2Params& params, const std::stop_token& stop) {
    detail::checkM3c2(params);
    constexpr float none = std::numeric_limits<float>::quiet_NaN();
    auto changes = Buffer<M3c2Change>::host(places.size());
    constexpr std::size_t grain = 1; // one place per chunk, since a single place may visit millions of points
    parallelFor(places.size(), grain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            changes[i] = m3c2At(places[i], first, second, params, none);
    });
    return changes;
}

} // namespace scanloupe
