#pragma once
// Results on the device go into buffers of OpenGL. Free of both, as gl_write.h.
#include "kernels/core/stream.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace scanloupe::gui {

/// A buffer that CUDA may write, registered once. Made, called and destroyed on the thread of the context,
/// which is current then, and before the buffer is deleted.
class BufferWriter {
public:
    virtual ~BufferWriter() = default;
    /// Lets `queue` queue on a stream what writes the first `bytes` of the buffer, whose content is lost
    /// before. OpenGL's next commands come after it. @note Waits, so that what was read may go. @throws
    /// KernelError
    using Queue = std::function<void(void* memory, StreamView stream)>;
    virtual void write(std::size_t bytes, const Queue& queue) = 0;
};

/// Null where CUDA can't write it: `problem` says why. @throws DeviceMemoryShort, which passes
std::unique_ptr<BufferWriter> makeBufferWriter(unsigned buffer, std::string& problem);

} // namespace scanloupe::gui
