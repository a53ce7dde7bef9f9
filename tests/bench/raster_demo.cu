#include "kernels/core/cuda_check.h"
#include "kernels/raster/raster_cell.h"
#include "tests/bench/raster_methods.h"

namespace scanloupe::bench {

using cuda::check;
using cuda::launch;
using cuda::ownStream;

namespace {

constexpr unsigned kTriangleThreads = 128;
constexpr unsigned long long kNothing = ~0ull;

__global__ void clearDemo(unsigned long long* pixels, std::size_t count) {
    const std::size_t i = cuda::globalIndex();
    if (i < count)
        pixels[i] = kNothing;
}

__global__ void __launch_bounds__(kTriangleThreads)
    drawDemo(RasterView view, const Vec3f* positions, const std::uint32_t* indices,
             unsigned long long* pixels) {
    const std::size_t triangle = blockIdx.x;
    float x[3], y[3], w[3];
    for (int k = 0; k < 3; ++k) {
        const Vec3f p =
            inView(view, fromEye(view, positions[indices[3 * triangle + static_cast<unsigned>(k)]]));
        if (!(p.z > 0))
            return;
        x[k] = view.centreX + view.scale * p.x / p.z;
        y[k] = view.centreY + view.scale * p.y / p.z;
        w[k] = p.z;
    }
    const float area = (x[1] - x[0]) * (y[2] - y[0]) - (y[1] - y[0]) * (x[2] - x[0]);
    if (!(area < 0)) // as the operator, which is timed without back faces
        return;
    const auto bound = [](float v, int size) {
        return static_cast<int>(fminf(fmaxf(v, 0.0f), static_cast<float>(size - 1)));
    };
    const int minX = bound(floorf(fminf(x[0], fminf(x[1], x[2]))), view.width),
              maxX = bound(ceilf(fmaxf(x[0], fmaxf(x[1], x[2]))), view.width),
              minY = bound(floorf(fminf(y[0], fminf(y[1], y[2]))), view.height),
              maxY = bound(ceilf(fmaxf(y[0], fmaxf(y[1], y[2]))), view.height);
    const int width = maxX - minX + 1, count = width * (maxY - minY + 1);
    const std::uint32_t colour = 0xff000000u | static_cast<std::uint32_t>(triangle) * 2654435761u >> 8;
    for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(kTriangleThreads)) {
        const int px = minX + i % width, py = minY + i / width;
        const float dx = static_cast<float>(px) - x[0], dy = static_cast<float>(py) - y[0];
        const float s = (dx * (y[2] - y[0]) - dy * (x[2] - x[0])) / area,
                    t = (dy * (x[1] - x[0]) - dx * (y[1] - y[0])) / area;
        if (s < 0 || t < 0 || s + t > 1)
            continue;
        const float depth = w[0] + s * (w[1] - w[0]) + t * (w[2] - w[0]);
        const auto value = static_cast<unsigned long long>(__float_as_uint(depth)) << 32 | colour;
        atomicMin(pixels + static_cast<std::size_t>(py) * static_cast<std::size_t>(view.width) +
                      static_cast<std::size_t>(px),
                  value);
    }
}

} // namespace

struct DemoRaster::State {
    const TriangleMesh& mesh;
    RasterView view;
    Buffer<std::uint64_t> pixels;

    unsigned long long* data() { return reinterpret_cast<unsigned long long*>(pixels.data()); }
};

DemoRaster::DemoRaster(const TriangleMesh& mesh, const Projection& projection, StreamView stream)
    : m_state(std::make_unique<State>(
          State{mesh, rasterView(projection),
                Buffer<std::uint64_t>::in(MemorySpace::device,
                                          static_cast<std::size_t>(projection.width) *
                                              static_cast<std::size_t>(projection.height),
                                          stream)})) {}

DemoRaster::~DemoRaster() = default;

void DemoRaster::run(StreamView stream) {
    State& state = *m_state;
    launch("clearDemo", state.pixels.size(), stream, clearDemo, state.data(), state.pixels.size());
    drawDemo<<<static_cast<unsigned>(state.mesh.triangleCount()), kTriangleThreads, 0, ownStream(stream)>>>(
        state.view, state.mesh.positions.data(), state.mesh.indices.data(), state.data());
    check(cudaGetLastError(), "drawDemo");
}

std::uint64_t DemoRaster::drawnPixels(StreamView stream) const {
    const auto copy = m_state->pixels.copyTo(MemorySpace::host, stream);
    std::uint64_t drawn = 0;
    for (const std::uint64_t pixel : copy.span())
        drawn += pixel != kNothing;
    return drawn;
}

} // namespace scanloupe::bench
