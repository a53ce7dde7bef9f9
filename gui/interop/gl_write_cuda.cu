#include "gui/interop/gl_write.h"
#include "kernels/core/buffer.h"
#include "kernels/core/cost.h"
#include "kernels/core/cuda_check.h"

#include <algorithm>
#include <array>
#include <cuda_gl_interop.h>
#include <exception>
#include <utility>

namespace scanloupe::gui {

namespace {

/// An object of OpenGL that CUDA knows of. The context must be current until this is gone.
class Registered {
public:
    static Registered texture(unsigned name) {
        cudaGraphicsResource_t resource = nullptr;
        cuda::check(cudaGraphicsGLRegisterImage(&resource, name, GL_TEXTURE_2D,
                                                cudaGraphicsRegisterFlagsWriteDiscard),
                    "cudaGraphicsGLRegisterImage");
        return Registered(resource);
    }
    static Registered buffer(unsigned name) {
        cudaGraphicsResource_t resource = nullptr;
        cuda::check(cudaGraphicsGLRegisterBuffer(&resource, name, cudaGraphicsRegisterFlagsWriteDiscard),
                    "cudaGraphicsGLRegisterBuffer");
        return Registered(resource);
    }
    ~Registered() { cuda::checkNoThrow(cudaGraphicsUnregisterResource(m_resource)); }
    Registered(const Registered&) = delete;
    Registered& operator=(const Registered&) = delete;

    cudaGraphicsResource_t resource() const { return m_resource; }

private:
    explicit Registered(cudaGraphicsResource_t resource) : m_resource(resource) {}
    cudaGraphicsResource_t m_resource;
};

/// As long as this lives, CUDA may write and OpenGL may not draw.
class Mapped {
public:
    Mapped(const Registered& registered, StreamView stream)
        : m_resource(registered.resource()), m_stream(cuda::ownStream(stream)) {
        cuda::check(cudaGraphicsMapResources(1, &m_resource, m_stream), "cudaGraphicsMapResources");
    }
    ~Mapped() {
        if (m_resource)
            cuda::checkNoThrow(cudaGraphicsUnmapResources(1, &m_resource, m_stream));
    }
    Mapped(const Mapped&) = delete;
    Mapped& operator=(const Mapped&) = delete;

    void unmap() {
        cudaGraphicsResource_t resource = std::exchange(m_resource, nullptr);
        cuda::check(cudaGraphicsUnmapResources(1, &resource, m_stream), "cudaGraphicsUnmapResources");
    }

private:
    cudaGraphicsResource_t m_resource;
    cudaStream_t m_stream;
};

/// The GPUs that draw for the current context. @throws KernelError when CUDA knows none of them
void findDrawingDevice(GlWrite& result) {
    std::array<int, 16> devices{};
    unsigned count = 0;
    cuda::check(cudaGLGetDevices(&count, devices.data(), devices.size(), cudaGLDeviceListAll),
                "cudaGLGetDevices");
    int own = 0;
    cuda::check(cudaGetDevice(&own), "cudaGetDevice");
    const auto end = devices.begin() + std::min<std::ptrdiff_t>(count, devices.size());
    if (devices.begin() == end)
        throw KernelError("cudaGLGetDevices names no GPU", "Let a GPU that CUDA knows draw.");
    result.sameDevice = std::find(devices.begin(), end, own) != end;
    result.drawingDevice = result.sameDevice ? own : devices[0];
}

void writeTexture(const Registered& texture, const GlTargets& targets, const Buffer<std::uint8_t>& pixels,
                  StreamView stream) {
    Mapped mapped(texture, stream);
    cudaArray_t array = nullptr;
    cuda::check(cudaGraphicsSubResourceGetMappedArray(&array, texture.resource(), 0, 0),
                "cudaGraphicsSubResourceGetMappedArray");
    const std::size_t row = targets.width * 4;
    cuda::check(cudaMemcpy2DToArrayAsync(array, 0, 0, pixels.data(), row, row, targets.height,
                                         cudaMemcpyDeviceToDevice, cuda::ownStream(stream)),
                "cudaMemcpy2DToArrayAsync");
    mapped.unmap();
    stream.synchronize();
}

void writeBuffer(const Registered& buffer, const Buffer<std::uint8_t>& pixels, StreamView stream) {
    Mapped mapped(buffer, stream);
    void* memory = nullptr;
    std::size_t bytes = 0;
    cuda::check(cudaGraphicsResourceGetMappedPointer(&memory, &bytes, buffer.resource()),
                "cudaGraphicsResourceGetMappedPointer");
    if (bytes < pixels.bytes())
        throw KernelError("cudaGraphicsResourceGetMappedPointer gives less than the buffer holds",
                          "Update the driver.");
    cuda::check(cudaMemcpyAsync(memory, pixels.data(), pixels.bytes(), cudaMemcpyDeviceToDevice,
                                cuda::ownStream(stream)),
                "cudaMemcpyAsync");
    mapped.unmap();
    stream.synchronize();
}

/// Milliseconds of the second of two calls: the first one sets up what stays.
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
        const Registered texture = Registered::texture(targets.texture);
        result.textureMs = warmMs([&] { writeTexture(texture, targets, onDevice, stream); });
        const Registered buffer = Registered::buffer(targets.buffer);
        result.bufferMs = warmMs([&] { writeBuffer(buffer, onDevice, stream); });
    } catch (const std::exception& error) {
        result.problem = error.what();
    }
    return result;
}

} // namespace scanloupe::gui
