// Compares two scans along their normals on the CPU.
#include "kernels/change/m3c2.h"
#include "kernels/change/m3c2_element.h"
#include "kernels/core/error.h"
#include "kernels/core/number_text.h"
#include "kernels/core/parallel.h"

#include <cmath>
#include <limits>
#include <string>

namespace scanloupe {

void detail::checkM3c2(const M3c2Params& params) {
    const auto check = [](double value, bool isInRange, const std::string& what) {
        if (!isInRange || !std::isfinite(value))
            throw KernelError("the " + what + " (got " + shortNumber(value) + ")",
                              "Correct the value, or omit it to have it chosen from the data.");
    };
    check(params.normalScale, params.normalScale > 0, "normal scale must be a length above 0");
    check(params.diameter, params.diameter > 0, "diameter of the cylinder must be a length above 0");
    check(params.depth, params.depth > 0, "depth of the cylinder must be a length above 0");
    check(params.registrationError, params.registrationError >= 0, "registration error must be 0 or more");
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
