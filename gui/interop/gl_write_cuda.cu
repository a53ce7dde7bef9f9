// Probes CUDA/OpenGL interoperability: finds the drawing device, and writes a texture and a buffer.
#include "gui/interop/gl_mapped.cuh"
#include "gui/interop/gl_write.h"
#include "kernels/core/buffer.h"
#include "kernels/core/cost.h"

#include <algorithm>
#include <array>
#include <exception>

namespace scanloupe::gui {

namespace {

/// Finds the CUDA devices that draw for the current context. @throws KernelError when CUDA knows none of them
void findDrawingDevice(GlWrite& result) {
    std::array<int, 16> devices{};
    unsigned count = 0;
    cuda::check(cudaGLGetDevices(&count, devices.data(), devices.size(), cudaGLDeviceListAll),
                "cudaGLGetDevices");
    int own = 0;
    cuda::check(cudaGetDevice(&own), "cudaGetDevice");
    const auto end = devices.begin() + std::min<std::ptrdiff_t>(count, devices.size());
    if (devices.begin() == end)
        throw KernelError("cudaGLGetDevices names no GPU", "Run OpenGL on an NVIDIA GPU.");
    result.sameDevice = std::find(devices.begin(), end, own) != end;
    result.drawingDevice = result.sameDevice ? own : devices[0];
}

void writeTexture(const RegisteredResource& texture, const GlTargets& targets,
                  const Buffer<std::uint8_t>& pixels, StreamView stream) {
    copyToTexture(texture, pixels.data(), targets.width * 4, targets.height, stream);
    stream.synchronize();
}

void writeBuffer(const RegisteredResource& buffer, const Buffer<std::uint8_t>& pixels, StreamView stream) {
    MappedResource mapped(buffer, stream);
    cuda::check(cudaMemcpyAsync(mapped.memory(pixels.bytes()), pixels.data(), pixels.bytes(),
                                cudaMemcpyDeviceToDevice, cuda::ownStream(stream)),
                "cudaMemcpyAsync");
    mapped.unmap();
    stream.synchronize();
}

/// Wall time of the second of two calls, in milliseconds; the first includes one-time initialization.
template <class Work>
double warmMs(const Work& work) {
    work();
    const WallTimer timer;
    work();
    return timer.elapsedMs();
}

} // namespace

GlWrite writeToGl(const GlTargets& targets, std::span<const std::uint8_t> pixels) {
    GlWrite result;
    try {
        findDrawingDevice(result);
        const Stream stream;
        const auto onHost = hostCopy(pixels);
        const auto onDevice = onHost.copyTo(MemorySpace::device, stream);
        const RegisteredResource texture = RegisteredResource::texture(targets.texture);
        result.textureMs = warmMs([&] { writeTexture(texture, targets, onDevice, stream); });
        const RegisteredResource buffer = RegisteredResource::buffer(targets.buffer);
        result.bufferMs = warmMs([&] { writeBuffer(buffer, onDevice, stream); });
    } catch (const std::exception& error) {
        result.problem = error.what();
    }
    return result;
}

} // namespace scanloupe::gui
