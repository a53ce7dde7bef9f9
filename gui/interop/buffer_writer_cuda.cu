// Writes OpenGL buffers from CUDA.
#include "gui/interop/buffer_writer.h"
#include "gui/interop/gl_mapped.cuh"

#include <exception>

namespace scanloupe::gui {

namespace {

class CudaBufferWriter : public BufferWriter {
public:
    explicit CudaBufferWriter(unsigned buffer) : m_buffer(RegisteredResource::buffer(buffer)) {}

    void write(std::size_t bytes, const Queue& queue) override {
        MappedResource mapped(m_buffer, m_stream);
        queue(mapped.memory(bytes), m_stream);
        mapped.unmap();
        m_stream.view().synchronize();
    }

private:
    /// A separate stream with high priority, since the GUI thread waits for this write, and must not wait for
    /// other results that are queued on a worker's stream.
    Stream m_stream{StreamPriority::high};
    RegisteredResource m_buffer;
};

} // namespace

std::unique_ptr<BufferWriter> makeBufferWriter(unsigned buffer, std::string& problem) {
    try {
        return std::make_unique<CudaBufferWriter>(buffer);
    } catch (const DeviceMemoryShort&) {
        throw;
    } catch (const std::exception& error) {
        problem = error.what();
        return nullptr;
    }
}

} // namespace scanloupe::gui
