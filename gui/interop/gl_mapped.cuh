#pragma once
// Objects of OpenGL that CUDA writes into.
#include "kernels/core/cuda_check.h"

#include <cuda_gl_interop.h>
#include <utility>

namespace scanloupe::gui {

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

    /// Where a buffer lies as long as it is mapped. @throws KernelError when it holds less than `bytes`
    void* memory(std::size_t bytes) const {
        void* memory = nullptr;
        std::size_t there = 0;
        cuda::check(cudaGraphicsResourceGetMappedPointer(&memory, &there, m_resource),
                    "cudaGraphicsResourceGetMappedPointer");
        if (there < bytes)
            throw KernelError("cudaGraphicsResourceGetMappedPointer gives less than the buffer holds",
                              "Update the driver.");
        return memory;
    }
    void unmap() {
        cudaGraphicsResource_t resource = std::exchange(m_resource, nullptr);
        cuda::check(cudaGraphicsUnmapResources(1, &resource, m_stream), "cudaGraphicsUnmapResources");
    }

private:
    cudaGraphicsResource_t m_resource;
    cudaStream_t m_stream;
};

/// Copies `height` rows of `rowBytes` each from device memory into a texture of that size, on a stream that
/// has all of them. OpenGL's next commands come after it. Asynchronous. @throws KernelError
inline void copyToTexture(const Registered& texture, const void* from, std::size_t rowBytes,
                          std::size_t height, StreamView stream) {
    Mapped mapped(texture, stream);
    cudaArray_t array = nullptr;
    cuda::check(cudaGraphicsSubResourceGetMappedArray(&array, texture.resource(), 0, 0),
                "cudaGraphicsSubResourceGetMappedArray");
    cuda::check(cudaMemcpy2DToArrayAsync(array, 0, 0, from, rowBytes, rowBytes, height,
                                         cudaMemcpyDeviceToDevice, cuda::ownStream(stream)),
                "cudaMemcpy2DToArrayAsync");
    mapped.unmap();
}

} // namespace scanloupe::gui
