#pragma once
// Declares a pool of OpenGL buffers that CUDA writes, reused from one geometry to the next.
#include "gui/interop/buffer_writer.h"
#include "gui/opengl/gl_resources.h"

#include <vector>

namespace scanloupe::gui {

/// An OpenGL buffer and its CUDA registration. Its capacity, in bytes, may exceed its content.
struct CudaBuffer {
    GLuint name = 0; ///< 0: none
    std::size_t capacity = 0;
    std::unique_ptr<BufferWriter> writer;
};

/// Allocating a buffer and registering it with CUDA takes longer than writing it. A recycled buffer is
/// therefore kept for the next request that it fits. GUI thread only, with the context current.
class GlBufferPool {
public:
    /// Returns a free buffer that fits, or a new one. Free buffers are deleted when memory is short. @throws
    /// GlError when graphics memory is short; KernelError when CUDA can't write it, as DeviceMemoryShort when
    /// that may pass
    CudaBuffer acquire(Gl& gl, std::size_t bytes);
    /// Takes the buffer back as a free one; the oldest free buffer beyond the limit is deleted.
    void recycle(Gl& gl, CudaBuffer buffer);
    /// Deletes all free buffers.
    void release(Gl& gl);
    /// Number of buffers allocated so far.
    int made() const { return m_made; }

private:
    CudaBuffer make(Gl& gl, std::size_t capacity);
    static void destroy(Gl& gl, CudaBuffer& buffer);

    std::vector<CudaBuffer> m_free; ///< oldest first
    int m_made = 0;
};

} // namespace scanloupe::gui
