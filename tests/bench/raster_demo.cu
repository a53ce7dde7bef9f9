#include "kernels/core/cuda_check.h"
#include "kernels/raster/core/raster_element.h"
#include "tests/bench/raster_methods.h"

namespace scanloupe::bench {

using cuda::check;
using cuda::launch;
using cuda::ownStream;

namespace {

/// Blocks per multiprocessor that fit with 121 registers per thread, the number that the demo's single kernel
/// needs.
constexpr int kBlocksThere = 4;

unsigned demoBlocks() {
    int device = 0, multiprocessors = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
          "cudaDeviceGetAttribute");
    return static_cast<unsigned>(multiprocessors * kBlocksThere);
}

constexpr unsigned kTriangleThreads = 128;
constexpr unsigned long long kNothing = ~0ull;

__global__ void clearDemo(unsigned long long* pixels, std::size_t count) {
    const std::size_t i = cuda::globalIndex();
    if (i < count)
        pixels[i] = kNothing;
}

__device__ std::uint32_t lit(float light, std::uint32_t colour) {
    std::uint32_t all = 0xff000000u;
    for (unsigned shift = 0; shift < 24; shift += 8) {
        const float part = static_cast<float>(colour >> shift & 0xffu) * (light * 0.8f + 0.5f);
        all |= static_cast<std::uint32_t>(fminf(fmaxf(part, 0.0f), 255.0f)) << shift;
    }
    return all;
}

/// Each block processes triangles in turn; every thread of a block repeats the triangle setup. Both faces are
/// drawn, and each pixel is lit.
__global__ void __launch_bounds__(kTriangleThreads)
    drawDemo(RasterView view, const Vec3f* positions, const std::uint32_t* indices, std::uint32_t triangles,
             unsigned long long* pixels) {
    for (std::size_t triangle = blockIdx.x; triangle < triangles; triangle += gridDim.x) {
        float x[3], y[3], w[3];
        Vec3f corner[3];
        bool behind = false;
        for (int k = 0; k < 3; ++k) {
            corner[k] = positions[indices[3 * triangle + static_cast<unsigned>(k)]];
            const Vec3f p = inView(view, fromEye(view, corner[k]));
            behind = behind || !(p.z > 0);
            x[k] = view.centreX + view.scale * p.x / p.z;
            y[k] = view.centreY + view.scale * p.y / p.z;
            w[k] = p.z;
        }
        if (behind)
            continue;
        const Vec3f normal = normalized(cross(corner[2] - corner[0], corner[1] - corner[0]));
        const Vec3f towards = normalized(corner[0] - Vec3f{-10, 10, 10});
        const auto bound = [](float v, int size) { return fminf(fmaxf(v, 0.0f), static_cast<float>(size)); };
        const float minX = floorf(bound(fminf(x[0], fminf(x[1], x[2])), view.width)),
                    minY = floorf(bound(fminf(y[0], fminf(y[1], y[2])), view.height));
        const int width = static_cast<int>(ceilf(bound(fmaxf(x[0], fmaxf(x[1], x[2])), view.width)) - minX);
        const int height = static_cast<int>(ceilf(bound(fmaxf(y[0], fmaxf(y[1], y[2])), view.height)) - minY);
        const auto across = [](float ax, float ay, float bx, float by) { return ax * by - ay * bx; };
        const float firstX = x[1] - x[0], firstY = y[1] - y[0], secondX = x[2] - x[0], secondY = y[2] - y[0];
        for (int i = static_cast<int>(threadIdx.x); i < width * height;
             i += static_cast<int>(kTriangleThreads)) {
            const float px = minX + static_cast<float>(i % width), py = minY + static_cast<float>(i / width);
            const float dx = px - x[0], dy = py - y[0];
            const float s = across(dx, dy, secondX, secondY) / across(firstX, firstY, secondX, secondY),
                        t = across(firstX, firstY, dx, dy) / across(firstX, firstY, secondX, secondY);
            if (!(s >= 0 && t >= 0 && s + t <= 1))
                continue;
            const float depth = (1 - (s + t)) * w[0] + s * w[1] + t * w[2];
            const std::uint32_t colour = lit(fmaxf(dot(normal, towards), 0.0f),
                                             static_cast<std::uint32_t>(triangle) * 2654435761u >> 8);
            const std::size_t place = static_cast<std::size_t>(py) * static_cast<std::size_t>(view.width) +
                                      static_cast<std::size_t>(px);
            atomicMin(pixels + place, static_cast<unsigned long long>(__float_as_uint(depth)) << 32 | colour);
        }
    }
}

} // namespace

struct DemoRaster::State {
    const TriangleMesh& mesh;
    RasterView view;
    Buffer<std::uint64_t> pixels;
    unsigned blocks;

    unsigned long long* data() { return reinterpret_cast<unsigned long long*>(pixels.data()); }
};

DemoRaster::DemoRaster(const TriangleMesh& mesh, const Projection& projection, StreamView stream)
    : m_state(std::make_unique<State>(
          State{mesh, rasterView(projection),
                Buffer<std::uint64_t>::in(MemorySpace::device,
                                          static_cast<std::size_t>(projection.width) *
                                              static_cast<std::size_t>(projection.height),
                                          stream),
                demoBlocks()})) {}

DemoRaster::~DemoRaster() = default;

void DemoRaster::run(StreamView stream) {
    State& state = *m_state;
    launch("clearDemo", state.pixels.size(), stream, clearDemo, state.data(), state.pixels.size());
    drawDemo<<<state.blocks, kTriangleThreads, 0, ownStream(stream)>>>(
        state.view, state.mesh.positions.data(), state.mesh.indices.data(),
        static_cast<std::uint32_t>(state.mesh.triangleCount()), state.data());
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
