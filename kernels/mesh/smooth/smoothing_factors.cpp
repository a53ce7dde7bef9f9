// Computes the factors of a smoothing step, and the memory that smoothing needs.
#include "kernels/core/error.h"
#include "kernels/core/number_text.h"
#include "kernels/mesh/smooth/smooth_mesh.h"

#include <cmath>

namespace scanloupe {

SmoothingFactors smoothingFactors(double passBand) {
    if (!(passBand > 0 && passBand < 1))
        throw KernelError("the pass band of smoothing must be between 0 and 1 (got " + shortNumber(passBand) +
                              ")",
                          "Set a pass band such as 0.1.");
    // The gain at frequency k is (1 - lambda k) (1 - mu k). gain(1) = -gain(2) gives lambda mu = -2 / (5 - 3
    // passBand),
    // and the pass band requires lambda + mu = passBand lambda mu.
    const double product = -2 / (5 - 3 * passBand), sum = passBand * product;
    const double root = std::sqrt(sum * sum - 4 * product);
    return {float(0.5 * (sum + root)), float(0.5 * (sum - root))};
}

std::uint64_t smoothingBytes(std::uint64_t vertices, std::uint64_t triangles) {
    // Per vertex: the ends of two lists, their counts, and the second set of positions. Per triangle:
    // corners, edges in both directions, and neighbours, half as many as edges in a closed mesh.
    return vertices * (3 * sizeof(std::uint64_t) + sizeof(Vec3f)) +
           triangles * (9 * sizeof(std::uint64_t) + 6 * sizeof(std::uint32_t));
}

} // namespace scanloupe
