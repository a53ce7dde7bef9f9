// Shades the visibility buffer into an image on the CPU, with eye-dome lighting.
#include "kernels/core/parallel.h"
#include "kernels/raster/core/raster_checks.h"
#include "kernels/raster/points/points_average_cpu.h"
#include "kernels/raster/resolve/resolve.h"
#include "kernels/raster/resolve/resolve_element.h"

#include <vector>

namespace scanloupe::cpu {

namespace {

constexpr std::size_t kRows = 16; // number of rows per chunk

/// Returns the id of the primitive of a pixel; 0 for none.
std::uint32_t idOf(std::uint64_t pixel) {
    return pixel == 0 ? 0 : ~static_cast<std::uint32_t>(pixel);
}

/// Prefetches, since triangles of neighbouring pixels are scattered in memory: the vertex indices of a
/// triangle to be shaded some pixels later, and the vertices of a nearer one.
void prefetchTriangles(const ResolveView& view, const std::uint64_t* row, std::size_t x, std::size_t end) {
    constexpr std::size_t cornersAhead = 24, verticesAhead = 12; // distances in pixels along the row
    const auto triangleAt = [&](std::size_t at) -> const std::uint32_t* {
        const std::uint32_t id = at < end ? idOf(row[at]) : 0;
        return primitiveKind(id) == PrimitiveKind::triangle && primitiveIndex(id) < view.triangles
                   ? view.indices + 3 * std::size_t{primitiveIndex(id)}
                   : nullptr;
    };
    if (const std::uint32_t* corners = triangleAt(x + cornersAhead))
        __builtin_prefetch(corners);
    if (const std::uint32_t* corners = triangleAt(x + verticesAhead))
        for (int i = 0; i < 3; ++i) {
            __builtin_prefetch(view.positions + corners[i]);
            if (view.normals)
                __builtin_prefetch(view.normals + corners[i]);
            if (view.meshColour.values)
                __builtin_prefetch(view.meshColour.values + corners[i]);
        }
}

/// Darkens the rows [begin, end) of an image at pixels with a neighbour that is nearer to the eye.
class EyeDome {
public:
    EyeDome(const VisibilityBuffer& visibility, bool orthographic, float strength)
        : m_visibility(visibility), m_orthographic(orthographic), m_strength(strength),
          m_width(static_cast<std::size_t>(visibility.width)) {}

    /// Darkens the columns [left, right) of the rows [begin, end).
    void darken(std::uint32_t* image, std::size_t begin, std::size_t end, std::size_t left,
                std::size_t right) const {
        const std::size_t stride = m_width + 2; // includes a border of one pixel on all sides
        std::vector<float> near(stride * (end - begin + 2), kFarthest), steps(m_width);
        for (std::size_t row = 0; row < end - begin + 2; ++row)
            fillRow(begin + row, &near[row * stride + 1]);
        for (std::size_t y = begin; y < end; ++y) {
            const float* own = &near[(y - begin + 1) * stride + 1];
            sumSteps(own, stride, steps.data());
            std::uint32_t* pixels = image + y * m_width;
            for (std::size_t x = left; x < right; ++x)
                if (steps[x] > 0)
                    pixels[x] = scaled(pixels[x], eyeDomeFactor(steps[x], m_strength));
        }
    }

private:
    /// Computes the nearness of image row `rowPlusOne` - 1; does nothing for a row outside the image.
    void fillRow(std::size_t rowPlusOne, float* out) const {
        if (rowPlusOne == 0 || rowPlusOne > static_cast<std::size_t>(m_visibility.height))
            return;
        const std::uint64_t* row = m_visibility.pixels.data() + (rowPlusOne - 1) * m_width;
        for (std::size_t x = 0; x < m_width; ++x)
            out[x] = nearness(row[x], m_orthographic);
    }
    void sumSteps(const float* own, std::size_t stride, float* steps) const {
        const float *above = own - stride, *below = own + stride;
        for (std::size_t x = 0; x < m_width; ++x) {
            steps[x] = eyeDomeStep(own[x], own[x + 1]) + eyeDomeStep(own[x], *(own + x - 1)) +
                       eyeDomeStep(own[x], above[x]) + eyeDomeStep(own[x], below[x]) +
                       eyeDomeStep(own[x], above[x + 1]) + eyeDomeStep(own[x], *(above + x - 1)) +
                       eyeDomeStep(own[x], below[x + 1]) + eyeDomeStep(own[x], *(below + x - 1));
        }
    }

    const VisibilityBuffer& m_visibility;
    bool m_orthographic;
    float m_strength;
    std::size_t m_width;
};

} // namespace

void resolve(const VisibilityBuffer& visibility, const RasterScene& scene, const Projection& projection,
             const Shading& shading, const PixelBox& box, Image& image, const std::stop_token& stop) {
    const auto width = static_cast<std::size_t>(projection.width);
    requireShadable(visibility, projection, shading);
    ResolveView view = resolveView(scene, projection, shading);
    Buffer<PointSums> sums;
    if (averagesPoints(scene)) {
        sums = sumPoints(visibility, scene, view, stop);
        view.sums = sums.data();
    }
    const EyeDome eyeDome(visibility, projection.orthographic, shading.eyeDomeStrength);
    const auto top = static_cast<std::size_t>(box.minY), left = static_cast<std::size_t>(box.minX),
               right = static_cast<std::size_t>(box.maxX) + 1;
    const std::size_t rows = static_cast<std::size_t>(box.maxY) + 1 - top;
    parallelFor(rows, kRows, stop, [&](std::size_t first, std::size_t last) {
        const std::size_t begin = top + first, end = top + last;
        for (std::size_t y = begin; y < end; ++y) {
            const std::uint64_t* const row = visibility.pixels.data() + y * width;
            for (std::size_t x = left; x < right; ++x) {
                prefetchTriangles(view, row, x, right);
                const std::uint32_t id = idOf(row[x]);
                if (id != 0 && !isInScene(view, id))
                    failUnknownPrimitive();
                image.pixels[y * width + x] = pixelColour(view, id, static_cast<int>(x), static_cast<int>(y));
            }
        }
        if (shading.eyeDome)
            eyeDome.darken(image.pixels.data(), begin, end, left, right);
    });
}

Image resolve(const VisibilityBuffer& visibility, const RasterScene& scene, const Projection& projection,
              const Shading& shading, const std::stop_token& stop) {
    Image image;
    image.width = projection.width;
    image.height = projection.height;
    image.pixels = Buffer<std::uint32_t>::host(std::size_t(image.width) * std::size_t(image.height));
    resolve(visibility, scene, projection, shading, {0, 0, image.width - 1, image.height - 1}, image, stop);
    return image;
}

} // namespace scanloupe::cpu
