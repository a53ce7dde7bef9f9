#pragma once
// Declares the writer of device results into OpenGL buffers (CUDA/OpenGL interoperability). Includes neither
// CUDA nor Qt headers, as gl_write.h.
#include "kernels/core/stream.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace scanloupe::gui {

/// An OpenGL buffer that is registered with CUDA. Constructed, called and destroyed on the context's thread
/// with the context current, and destroyed before the buffer is deleted.
class BufferWriter {
public:
    virtual ~BufferWriter() = default;
    /// Calls `queue` to enqueue writes of the first `bytes` of the mapped buffer on a stream; the previous
    /// content is discarded. Later OpenGL commands are ordered after the writes. @note Synchronizes, so that
    /// the source may be freed afterwards. @throws KernelError
    using Queue = std::function<void(void* memory, StreamView stream)>;
    virtual void write(std::size_t bytes, const Queue& queue) = 0;
};

/// Null if CUDA can't register the buffer; `problem` then holds the reason. @throws DeviceMemoryShort, which
/// is temporary
std::unique_ptr<BufferWriter> makeBufferWriter(unsigned buffer, std::string& problem);

} // namespace scanloupe::gui
