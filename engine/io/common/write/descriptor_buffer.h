#pragma once
// Declares a stream buffer that writes to a POSIX file descriptor.
#include <filesystem>
#include <stop_token>
#include <streambuf>
#include <vector>

namespace scanloupe::detail {

/// Owns the descriptor of a file that a stream writes to. The stream throws on the first failed write.
class DescriptorBuffer : public std::streambuf {
public:
    /// @param target file name for messages @param descriptor may be that of a non-blocking pipe: writes then
    ///     wait for its reader until `stop` is requested
    DescriptorBuffer(int descriptor, const std::filesystem::path& target, const std::stop_token& stop);
    /// Closes the descriptor. Without finish(), buffered bytes are lost.
    ~DescriptorBuffer() override;
    DescriptorBuffer(const DescriptorBuffer&) = delete;
    DescriptorBuffer& operator=(const DescriptorBuffer&) = delete;

    /// Flushes the buffer and closes the descriptor. @param toDisk wait until the data is on the disk
    /// @throws EngineError; Cancelled
    void finish(bool toDisk);

protected:
    int_type overflow(int_type c) override;
    std::streamsize xsputn(const char* bytes, std::streamsize count) override;
    int sync() override;
    /// Fails for pipes, which are not seekable.
    pos_type seekoff(off_type offset, std::ios_base::seekdir direction, std::ios_base::openmode) override;
    pos_type seekpos(pos_type position, std::ios_base::openmode mode) override;

private:
    void writeOut();
    void writeAll(const char* bytes, std::size_t count);
    void waitForRoom() const;

    int m_descriptor;
    const std::filesystem::path& m_target;
    const std::stop_token& m_stop;
    std::vector<char> m_bytes;
};

} // namespace scanloupe::detail
