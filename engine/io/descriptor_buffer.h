#pragma once
// The stream buffer of a file that is being written.
#include <filesystem>
#include <stop_token>
#include <streambuf>
#include <vector>

namespace scanloupe::detail {

/// An open file that a stream writes to. Throws out of the stream as soon as the system refuses. Closes it.
class DescriptorBuffer : public std::streambuf {
public:
    /// `target` names the file in sentences. A pipe may be non-blocking: then a reader that does not read is
    /// waited for until `stop` asks to end it.
    DescriptorBuffer(int descriptor, const std::filesystem::path& target, const std::stop_token& stop);
    ~DescriptorBuffer() override;
    DescriptorBuffer(const DescriptorBuffer&) = delete;
    DescriptorBuffer& operator=(const DescriptorBuffer&) = delete;

    /// Writes what is left, waits until it is on the disk and closes. @throws EngineError; Cancelled
    void finish(bool toDisk);

protected:
    int_type overflow(int_type c) override;
    std::streamsize xsputn(const char* bytes, std::streamsize count) override;
    int sync() override;
    /// Places can be gone back to in files, not in pipes.
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
