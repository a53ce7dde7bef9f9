// Bounds the rounding errors of conservative culling for a view.
#include "kernels/raster/core/cull_view.h"

#include <algorithm>
#include <cmath>

namespace scanloupe {

CullView cullView(const RasterView& view) {
    // A dot product of three terms has an error of 3 roundings of |position|. The exact and the approximate
    // projection compute two such products each, with some further roundings. The constants are at least
    // twice the sum of these errors.
    constexpr double rounding = 0x1p-24, snapping = 1.0 / kSubpixels, beside = kCullExtent + 2;
    const double scale = view.scale;
    // distance of the farthest drawn pixel from the centre
    const auto farthestFrom = [](double centre, int first, int size) {
        return std::max(std::abs(first - centre), std::abs(first + size - centre));
    };
    const double halfX = farthestFrom(view.centreX, view.offsetX, view.width) + beside,
                 halfY = farthestFrom(view.centreY, view.offsetY, view.height) + beside;
    const double ofPixels = 4 * rounding * 2 * (halfX + halfY) + snapping;

    CullView cull{};
    cull.right = view.right * view.scale;
    cull.down = view.down * view.scale;
    cull.sampleX = view.centreX - static_cast<float>(view.offsetX) - 0.5f;
    cull.sampleY = view.centreY - static_cast<float>(view.offsetY) - 0.5f;
    cull.lastX = static_cast<float>(view.width) + 0.5f;
    cull.lastY = static_cast<float>(view.height) + 0.5f;
    // depth errors stay below depthSlack; the exact path does not repeat the test beyond this
    const float front = view.nearPlane * 1.0001f;
    if (view.orthographic) {
        constexpr double allowed = 0.05; // maximum error in pixels
        // maximum distance for which errors are at most `allowed`
        const double reach = allowed / (24 * rounding * scale);
        cull.farthest = static_cast<float>(std::max(0.0, reach - (halfX + halfY) / scale));
        cull.widest = 1e5f;
        cull.margin = static_cast<float>(allowed + ofPixels);
        cull.depthSlack = static_cast<float>(16 * rounding * reach);
        cull.front = front + cull.depthSlack;
        return cull;
    }
    const double perPixel = 24 * rounding * scale; // to be multiplied by the squared ratio of distance to
                                                   // depth
    const double ratio = 1 + (halfX * halfX + halfY * halfY) / (scale * scale);
    cull.farthest = 1e30f;
    const double widest = scale * std::min(10.0, std::sqrt(std::max(0.0, 0.1 / perPixel - 1)));
    cull.widest = static_cast<float>(widest - halfX - halfY);
    cull.margin = static_cast<float>(perPixel * ratio + ofPixels);
    cull.depthSlack = static_cast<float>(1 + 32 * rounding * std::sqrt(ratio));
    cull.front = front * cull.depthSlack;
    cull.depthLeast = static_cast<float>(1 - 32 * rounding * std::sqrt(ratio));
    return cull;
}

} // namespace scanloupe
