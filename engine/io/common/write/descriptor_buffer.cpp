// Implements a stream buffer over a POSIX file descriptor.
#include "engine/io/common/write/descriptor_buffer.h"

#include "engine/cloud/error.h"
#include "engine/io/common/write/write_failure.h"

#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace scanloupe::detail {

DescriptorBuffer::DescriptorBuffer(int descriptor, const std::filesystem::path& target,
                                   const std::stop_token& stop)
    : m_descriptor(descriptor), m_target(target), m_stop(stop), m_bytes(std::size_t{1} << 20) {
    setp(m_bytes.data(), m_bytes.data() + m_bytes.size());
}

DescriptorBuffer::~DescriptorBuffer() {
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

void DescriptorBuffer::finish(bool toDisk) {
    writeOut();
    // Devices and pipes can't be synchronized: fsync() fails with EINVAL.
    while (toDisk && ::fsync(m_descriptor) != 0 && errno != EINVAL)
        if (errno != EINTR)
            throwWriteFailure(m_target, errno);
    const int descriptor = m_descriptor;
    m_descriptor = -1;
    if (::close(descriptor) != 0 && errno != EINTR) // close() releases the descriptor even if it is
                                                    // interrupted
        throwWriteFailure(m_target, errno);
}

DescriptorBuffer::int_type DescriptorBuffer::overflow(int_type c) {
    writeOut();
    if (c != traits_type::eof())
        sputc(static_cast<char>(c));
    return traits_type::not_eof(c);
}

std::streamsize DescriptorBuffer::xsputn(const char* bytes, std::streamsize count) {
    if (count < epptr() - pptr())
        return std::streambuf::xsputn(bytes, count);
    writeOut();
    writeAll(bytes, static_cast<std::size_t>(count));
    return count;
}

int DescriptorBuffer::sync() {
    writeOut();
    return 0;
}

DescriptorBuffer::pos_type DescriptorBuffer::seekoff(off_type offset, std::ios_base::seekdir direction,
                                                     std::ios_base::openmode) {
    writeOut();
    const int whence = direction == std::ios_base::beg   ? SEEK_SET
                       : direction == std::ios_base::cur ? SEEK_CUR
                                                         : SEEK_END;
    return pos_type(off_type(::lseek(m_descriptor, offset, whence)));
}

DescriptorBuffer::pos_type DescriptorBuffer::seekpos(pos_type position, std::ios_base::openmode mode) {
    return seekoff(off_type(position), std::ios_base::beg, mode);
}

void DescriptorBuffer::writeOut() {
    const auto count = static_cast<std::size_t>(pptr() - pbase());
    setp(m_bytes.data(), m_bytes.data() + m_bytes.size());
    writeAll(m_bytes.data(), count);
}

void DescriptorBuffer::writeAll(const char* bytes, std::size_t count) {
    while (count > 0) {
        const ::ssize_t written = ::write(m_descriptor, bytes, count);
        if (written >= 0) {
            bytes += written;
            count -= static_cast<std::size_t>(written);
        } else if (errno == EAGAIN) {
            waitForRoom();
        } else if (errno != EINTR) {
            throwWriteFailure(m_target, errno);
        }
    }
}

void DescriptorBuffer::waitForRoom() const {
    constexpr int milliseconds = 20;
    ::pollfd pipe{m_descriptor, POLLOUT, 0};
    ::poll(&pipe, 1, milliseconds);
    if (m_stop.stop_requested())
        throw Cancelled();
}

} // namespace scanloupe::detail
