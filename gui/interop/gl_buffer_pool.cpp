#include "gui/interop/gl_buffer_pool.h"

#include "kernels/core/error.h"

#include <algorithm>
#include <utility>

namespace scanloupe::gui {

namespace {
/// What one view has on the way and lets go of: vertices and indices of two geometries.
constexpr std::size_t kMostWaiting = 4;
constexpr std::size_t kPiece = std::size_t{1} << 20;
constexpr std::size_t kMostRoom = 4; // times what is asked for: no small mesh sits in a large one's memory

std::size_t roomFor(std::size_t bytes) {
    const std::size_t room = bytes + bytes / 4; // a slider moves it by less, as a rule
    return (room + kPiece - 1) / kPiece * kPiece;
}
} // namespace

void GlBufferPool::destroy(Gl& gl, CudaBuffer& buffer) {
    buffer.writer.reset(); // before what it writes
    gl.glDeleteBuffers(1, &buffer.name);
}

CudaBuffer GlBufferPool::take(Gl& gl, std::size_t bytes) {
    const std::size_t most = std::max(kMostRoom * bytes, kPiece);
    const auto fits = [&](const CudaBuffer& b) { return b.room >= bytes && b.room <= most; };
    if (const auto found = std::find_if(m_waiting.begin(), m_waiting.end(), fits); found != m_waiting.end()) {
        CudaBuffer buffer = std::move(*found);
        m_waiting.erase(found);
        return buffer;
    }
    if (!m_waiting.empty()) {
        try {
            return make(gl, roomFor(bytes));
        } catch (const std::exception&) {
            release(gl); // it may be what takes the memory
        }
    }
    return make(gl, roomFor(bytes));
}

CudaBuffer GlBufferPool::make(Gl& gl, std::size_t room) {
    CudaBuffer buffer;
    buffer.room = room;
    gl.glGenBuffers(1, &buffer.name);
    std::string problem;
    try {
        allocateBuffer(gl, buffer.name, buffer.room);
        buffer.writer = makeBufferWriter(buffer.name, problem);
        if (!buffer.writer)
            throw KernelError(problem, "The host sends it then.");
    } catch (...) {
        destroy(gl, buffer);
        throw;
    }
    ++m_made;
    return buffer;
}

void GlBufferPool::giveBack(Gl& gl, CudaBuffer buffer) {
    if (buffer.name == 0)
        return;
    m_waiting.push_back(std::move(buffer));
    if (m_waiting.size() > kMostWaiting) {
        destroy(gl, m_waiting.front());
        m_waiting.erase(m_waiting.begin());
    }
}

void GlBufferPool::release(Gl& gl) {
    for (CudaBuffer& buffer : m_waiting)
        destroy(gl, buffer);
    m_waiting.clear();
}

} // namespace scanloupe::gui
