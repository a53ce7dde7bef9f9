#pragma once
// Buffers of OpenGL that CUDA writes, kept from one geometry to the next.
#include "gui/interop/buffer_writer.h"
#include "gui/views/gl_resources.h"

#include <vector>

namespace scanloupe::gui {

/// A buffer with room for more than is in it.
struct CudaBuffer {
    GLuint name = 0; ///< 0: none
    std::size_t capacity = 0;
    std::unique_ptr<BufferWriter> writer;
};

/// Making a buffer and telling CUDA of it takes longer than writing it, so both happen once a size: a buffer
/// that is given back waits for the next that fits. GUI thread only, with the context current.
class GlBufferPool {
public:
    /// What waits goes where memory is short. @throws GlError when graphics memory is; KernelError when CUDA
    /// can't write it, DeviceMemoryShort for now
    CudaBuffer acquire(Gl& gl, std::size_t bytes);
    void recycle(Gl& gl, CudaBuffer buffer);
    /// Deletes what waits.
    void release(Gl& gl);
    /// Buffers made so far.
    int made() const { return m_made; }

private:
    CudaBuffer make(Gl& gl, std::size_t capacity);
    static void destroy(Gl& gl, CudaBuffer& buffer);

    std::vector<CudaBuffer> m_free; ///< the last given back is the last
    int m_made = 0;
};

} // namespace scanloupe::gui
