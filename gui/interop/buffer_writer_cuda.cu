#include "gui/interop/buffer_writer.h"
#include "gui/interop/gl_mapped.cuh"

#include <exception>

namespace scanloupe::gui {

namespace {

class CudaBufferWriter : public BufferWriter {
public:
    explicit CudaBufferWriter(unsigned buffer) : m_buffer(Registered::buffer(buffer)) {}

    void write(std::size_t bytes, const std::function<void(void* memory)>& queue,
               StreamView stream) override {
        Mapped mapped(m_buffer, stream);
        queue(mapped.memory(bytes));
        mapped.unmap();
    }

private:
    Registered m_buffer;
};

} // namespace

std::unique_ptr<BufferWriter> makeBufferWriter(unsigned buffer, std::string& problem) {
    try {
        return std::make_unique<CudaBufferWriter>(buffer);
    } catch (const std::exception& error) {
        problem = error.what();
        return nullptr;
    }
}

} // namespace scanloupe::gui
