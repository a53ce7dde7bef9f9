#pragma once
// Registers and maps OpenGL textures and buffers for writes from CUDA (CUDA Runtime API, OpenGL
// Interoperability), as RAII types.
#include "kernels/core/cuda_check.h"

#include <cuda_gl_interop.h>
#include <utility>

namespace scanloupe::gui {

/// An OpenGL object that is registered as a CUDA graphics resource. The context must be current until this is
/// destroyed.
class RegisteredResource {
public:
    static RegisteredResource texture(unsigned name) {
        cudaGraphicsResource_t resource = nullptr;
        cuda::check(cudaGraphicsGLRegisterImage(&resource, name, GL_TEXTURE_2D,
                                                cudaGraphicsRegisterFlagsWriteDiscard),
                    "cudaGraphicsGLRegisterImage");
        return RegisteredResource(resource);
    }
    static RegisteredResource buffer(unsigned name) {
        cudaGraphicsResource_t resource = nullptr;
        cuda::check(cudaGraphicsGLRegisterBuffer(&resource, name, cudaGraphicsRegisterFlagsWriteDiscard),
                    "cudaGraphicsGLRegisterBuffer");
        return RegisteredResource(resource);
    }
    ~RegisteredResource() { cuda::checkNoThrow(cudaGraphicsUnregisterResource(m_resource)); }
    RegisteredResource(const RegisteredResource&) = delete;
    RegisteredResource& operator=(const RegisteredResource&) = delete;

    cudaGraphicsResource_t resource() const { return m_resource; }

private:
    explicit RegisteredResource(cudaGraphicsResource_t resource) : m_resource(resource) {}
    cudaGraphicsResource_t m_resource;
};

/// A mapped graphics resource. While it is mapped, CUDA may access the object and OpenGL must not.
class MappedResource {
public:
    MappedResource(const RegisteredResource& registered, StreamView stream)
        : m_resource(registered.resource()), m_stream(cuda::ownStream(stream)) {
        cuda::check(cudaGraphicsMapResources(1, &m_resource, m_stream), "cudaGraphicsMapResources");
    }
    ~MappedResource() {
        if (m_resource)
            cuda::checkNoThrow(cudaGraphicsUnmapResources(1, &m_resource, m_stream));
    }
    MappedResource(const MappedResource&) = delete;
    MappedResource& operator=(const MappedResource&) = delete;

    /// Device pointer of a mapped buffer. @throws KernelError when it holds less than `bytes`
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

/// Copies `height` rows of `rowBytes` each from device memory into a texture of that size, on `stream`. Later
/// OpenGL commands are ordered after the copy. Asynchronous. @throws KernelError
inline void copyToTexture(const RegisteredResource& texture, const void* from, std::size_t rowBytes,
                          std::size_t height, StreamView stream) {
    MappedResource mapped(texture, stream);
    cudaArray_t array = nullptr;
    cuda::check(cudaGraphicsSubResourceGetMappedArray(&array, texture.resource(), 0, 0),
                "cudaGraphicsSubResourceGetMappedArray");
    cuda::check(cudaMemcpy2DToArrayAsync(array, 0, 0, from, rowBytes, rowBytes, height,
                                         cudaMemcpyDeviceToDevice, cuda::ownStream(stream)),
                "cudaMemcpy2DToArrayAsync");
    mapped.unmap();
}

} // namespace scanloupe::gui
