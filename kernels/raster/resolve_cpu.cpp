#include "kernels/core/parallel.h"
#include "kernels/raster/colour_map.h"
#include "kernels/raster/resolve_cell.h"

#include <vector>

namespace scanloupe::cpu {

namespace {

constexpr std::size_t kRows = 8; // a chunk's rows

Colouring withMap(Colouring colouring) {
    if (!colouring.map)
        colouring.map = colourMap(ColourMapName::viridis).data();
    return colouring;
}

ResolveView resolveView(const RasterScene& scene, const Projection& projection, const Shading& shading) {
    ResolveView r{};
    r.view = rasterView(projection);
    r.toLight = headlight(projection.right, projection.down, projection.forward);
    r.light = shading.light;
    r.background = shading.background;
    r.pointColour = withMap(scene.pointColour);
    r.voxelColour = withMap(scene.voxelColour);
    r.meshColour = withMap(scene.meshColour);
    r.points = static_cast<std::uint32_t>(scene.points.size());
    if (scene.mesh) {
        const TriangleMesh& mesh = *scene.mesh;
        r.positions = mesh.positions.data();
        r.normals = mesh.normals.size() == mesh.vertexCount() ? mesh.normals.data() : nullptr;
        r.indices = mesh.indices.data();
        r.triangles = static_cast<std::uint32_t>(mesh.triangleCount());
    }
    if (scene.voxels) {
        r.shape = scene.voxels->shape;
        r.keys = scene.voxels->keys.data();
        r.voxelScale = scene.voxelScale;
        r.voxels = static_cast<std::uint32_t>(scene.voxels->size());
    }
    return r;
}

/// Darkens the rows [begin, end) of an image where a neighbour is nearer to the eye.
class EyeDome {
public:
    EyeDome(const VisibilityBuffer& visibility, bool orthographic, float strength)
        : m_visibility(visibility), m_orthographic(orthographic), m_strength(strength),
          m_width(static_cast<std::size_t>(visibility.width)) {}

    void darken(std::uint32_t* image, std::size_t begin, std::size_t end) const {
        const std::size_t stride = m_width + 2; // a border all around
        std::vector<float> near(stride * (end - begin + 2), kFarthest), steps(m_width);
        for (std::size_t row = 0; row < end - begin + 2; ++row)
            fillRow(begin + row, &near[row * stride + 1]);
        for (std::size_t y = begin; y < end; ++y) {
            const float* own = &near[(y - begin + 1) * stride + 1];
            sumSteps(own, stride, steps.data());
            std::uint32_t* pixels = image + y * m_width;
            for (std::size_t x = 0; x < m_width; ++x)
                if (steps[x] > 0)
                    pixels[x] = scaled(pixels[x], eyeDomeFactor(steps[x], m_strength));
        }
    }

private:
    /// Nearness of image row `rowPlusOne` - 1, where the image has it.
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

Image resolve(const VisibilityBuffer& visibility, const RasterScene& scene, const Projection& projection,
              const Shading& shading, const std::stop_token& stop) {
    const auto width = static_cast<std::size_t>(projection.width),
               height = static_cast<std::size_t>(projection.height);
    if (visibility.width != projection.width || visibility.height != projection.height ||
        visibility.pixels.size() != width * height)
        throw KernelError("the visibility buffer has another size than the picture", "Draw the scene again.");
    if (shading.eyeDome && !(shading.eyeDomeStrength >= 0 && shading.eyeDomeStrength <= 1000))
        throw KernelError("the strength of the eye-dome lighting is not between 0 and 1000",
                          "Take a strength between 0 and 10.");
    const ResolveView view = resolveView(scene, projection, shading);
    const EyeDome eyeDome(visibility, projection.orthographic, shading.eyeDomeStrength);
    Image image;
    image.width = projection.width;
    image.height = projection.height;
    image.pixels = Buffer<std::uint32_t>::host(width * height);
    parallelFor(height, kRows, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t y = begin; y < end; ++y) {
            for (std::size_t x = 0; x < width; ++x) {
                const std::uint32_t id = visibility.id(static_cast<int>(x), static_cast<int>(y));
                if (id != 0 && !isKnown(view, id))
                    throw KernelError("the visibility buffer shows something that is not in the scene",
                                      "Draw the scene again.");
                image.pixels[y * width + x] = pixelColour(view, id, static_cast<int>(x), static_cast<int>(y));
            }
        }
        if (shading.eyeDome)
            eyeDome.darken(image.pixels.data(), begin, end);
    });
    return image;
}

} // namespace scanloupe::cpu
