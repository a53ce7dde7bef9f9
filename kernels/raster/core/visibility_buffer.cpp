// Reads pixels of a visibility buffer.
#include "kernels/raster/core/raster_element.h"
#include "kernels/raster/core/raster_scene.h"

#include <limits>

namespace scanloupe {

namespace {

std::size_t pixelIndex(const VisibilityBuffer& buffer, int x, int y) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(buffer.width) + static_cast<std::size_t>(x);
}

} // namespace

std::uint32_t VisibilityBuffer::id(int x, int y) const {
    const std::uint64_t pixel = pixels[pixelIndex(*this, x, y)];
    return pixel == 0 ? 0 : ~static_cast<std::uint32_t>(pixel);
}

float VisibilityBuffer::depth(int x, int y, const Projection& projection) const {
    const std::uint64_t pixel = pixels[pixelIndex(*this, x, y)];
    return pixel == 0 ? std::numeric_limits<float>::infinity()
                      : depthMetres(static_cast<std::uint32_t>(pixel >> 32), projection.orthographic);
}

VisibilityBuffer VisibilityBuffer::download(StreamView stream) const {
    return {width, height, pixels.copyTo(MemorySpace::host, stream)};
}

Image Image::download(StreamView stream) const {
    return {width, height, pixels.copyTo(MemorySpace::host, stream)};
}

} // namespace scanloupe
