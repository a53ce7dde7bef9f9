// Pools OpenGL buffers that are registered with CUDA.
#include "gui/interop/gl_buffer_pool.h"

#include "kernels/core/error.h"

#include <algorithm>
#include <utility>

namespace scanloupe::gui {

namespace {
/// Free buffers that are kept: vertices and indices of two geometries, as many as one view uploads and
/// releases at a time.
constexpr std::size_t kMaxFree = 4;
constexpr std::size_t kGranularity = std::size_t{1} << 20;
/// Maximum ratio of capacity to request, so that a small mesh does not occupy the buffer of a large one.
constexpr std::size_t kMaxOverallocation = 4;

std::size_t capacityFor(std::size_t bytes) {
    const std::size_t capacity = bytes + bytes / 4; // headroom: a slider usually changes the size by less
    return (capacity + kGranularity - 1) / kGranularity * kGranularity;
}
} // namespace

void GlBufferPool::destroy(Gl& gl, CudaBuffer& buffer) {
    buffer.writer.reset(); // unregisters the buffer before it is deleted
    gl.glDeleteBuffers(1, &buffer.name);
}

CudaBuffer GlBufferPool::acquire(Gl& gl, std::size_t bytes) {
    const std::size_t most = std::max(kMaxOverallocation * bytes, kGranularity);
    const auto fits = [&](const CudaBuffer& b) { return b.capacity >= bytes && b.capacity <= most; };
    if (const auto found = std::find_if(m_free.begin(), m_free.end(), fits); found != m_free.end()) {
        CudaBuffer buffer = std::move(*found);
        m_free.erase(found);
        return buffer;
    }
    if (!m_free.empty()) {
        try {
            return make(gl, capacityFor(bytes));
        } catch (const std::exception&) {
            release(gl); // the free buffers may occupy the memory
        }
    }
    return make(gl, capacityFor(bytes));
}

CudaBuffer GlBufferPool::make(Gl& gl, std::size_t capacity) {
    CudaBuffer buffer;
    buffer.capacity = capacity;
    gl.glGenBuffers(1, &buffer.name);
    std::string problem;
    try {
        allocateBuffer(gl, buffer.name, buffer.capacity);
        buffer.writer = makeBufferWriter(buffer.name, problem);
        if (!buffer.writer)
            throw KernelError(problem, "The data is copied through the CPU instead.");
    } catch (...) {
        destroy(gl, buffer);
        throw;
    }
    ++m_made;
    return buffer;
}

void GlBufferPool::recycle(Gl& gl, CudaBuffer buffer) {
    if (buffer.name == 0)
        return;
    m_free.push_back(std::move(buffer));
    if (m_free.size() > kMaxFree) {
        destroy(gl, m_free.front());
        m_free.erase(m_free.begin());
    }
}

void GlBufferPool::release(Gl& gl) {
    for (CudaBuffer& buffer : m_free)
        destroy(gl, buffer);
    m_free.clear();
}

} // namespace scanloupe::gui
