#include "engine/io/writers.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <random>
#include <streambuf>
#include <sys/stat.h>
#include <unistd.h>

namespace scanloupe {

namespace {

[[noreturn]] void throwWriteFailure(const std::filesystem::path& target, int code) {
    const std::string name = "'" + target.string() + "'";
    const std::string folder = target.has_parent_path() ? target.parent_path().string() : std::string(".");
    switch (code) {
    case ENOSPC:
    case EDQUOT:
        throw EngineError(name + " can't be written: the disk is full",
                          "Free space or choose another drive. An older file of that name is as it was.");
    case ENOENT:
    case ENOTDIR:
        throw EngineError(name + " can't be written: there is no folder '" + folder + "'",
                          "Make the folder first, or choose another one.");
    case EACCES:
    case EPERM:
    case EROFS:
        throw EngineError(name + " can't be written: the file or its folder '" + folder +
                              "' is read-only for you",
                          "Choose a folder of yours, or change the permissions.");
    case ENAMETOOLONG:
        throw EngineError(name + " can't be written: the name is too long", "Choose a shorter name.");
    default:
        throw EngineError(name + " can't be written: " + std::strerror(code),
                          "Check that the drive is there and healthy, or choose another one.");
    }
}

/// An open file that a stream writes to. Throws out of the stream as soon as the system refuses.
class DescriptorBuffer : public std::streambuf {
public:
    DescriptorBuffer(int descriptor, const std::filesystem::path& target)
        : m_descriptor(descriptor), m_target(target), m_bytes(std::size_t{1} << 20) {
        setp(m_bytes.data(), m_bytes.data() + m_bytes.size());
    }
    ~DescriptorBuffer() override { close(); }
    DescriptorBuffer(const DescriptorBuffer&) = delete;
    DescriptorBuffer& operator=(const DescriptorBuffer&) = delete;

    /// Writes what is left, waits until it is on the disk and closes. @throws EngineError
    void finish(bool toDisk) {
        writeOut();
        // a device has nothing to wait for and says so
        if (toDisk && ::fsync(m_descriptor) != 0 && errno != EINVAL)
            throwWriteFailure(m_target, errno);
        const int descriptor = m_descriptor;
        m_descriptor = -1;
        if (::close(descriptor) != 0)
            throwWriteFailure(m_target, errno);
    }

protected:
    int_type overflow(int_type c) override {
        writeOut();
        if (c != traits_type::eof())
            sputc(static_cast<char>(c));
        return traits_type::not_eof(c);
    }
    std::streamsize xsputn(const char* bytes, std::streamsize count) override {
        if (count < epptr() - pptr())
            return std::streambuf::xsputn(bytes, count);
        writeOut();
        writeAll(bytes, static_cast<std::size_t>(count));
        return count;
    }
    int sync() override {
        writeOut();
        return 0;
    }
    /// Places can be gone back to in files, not in pipes.
    pos_type seekoff(off_type offset, std::ios_base::seekdir direction, std::ios_base::openmode) override {
        writeOut();
        const int whence = direction == std::ios_base::beg   ? SEEK_SET
                           : direction == std::ios_base::cur ? SEEK_CUR
                                                             : SEEK_END;
        return pos_type(off_type(::lseek(m_descriptor, offset, whence)));
    }
    pos_type seekpos(pos_type position, std::ios_base::openmode mode) override {
        return seekoff(off_type(position), std::ios_base::beg, mode);
    }

private:
    void close() {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
        m_descriptor = -1;
    }
    void writeOut() {
        const auto count = static_cast<std::size_t>(pptr() - pbase());
        setp(m_bytes.data(), m_bytes.data() + m_bytes.size());
        writeAll(m_bytes.data(), count);
    }
    void writeAll(const char* bytes, std::size_t count) {
        while (count > 0) {
            const ::ssize_t written = ::write(m_descriptor, bytes, count);
            if (written < 0 && errno == EINTR)
                continue;
            if (written < 0)
                throwWriteFailure(m_target, errno);
            bytes += written;
            count -= static_cast<std::size_t>(written);
        }
    }
    int m_descriptor;
    const std::filesystem::path& m_target;
    std::vector<char> m_bytes;
};

/// A temporary file beside the target; gone unless it takes the target's place.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::filesystem::path& target, ::mode_t mode) : m_target(target) {
        std::random_device random;
        // short, so that it fits wherever the target's own name does
        for (int attempt = 0; attempt < 100; ++attempt) {
            m_path = target.parent_path() / (".sl" + std::to_string(random()) + ".tmp");
            m_descriptor = ::open(m_path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
            if (m_descriptor >= 0 || errno != EEXIST)
                break;
        }
        if (m_descriptor < 0)
            throwWriteFailure(target, errno);
    }
    ~TemporaryFile() {
        if (!m_renamed)
            ::unlink(m_path.c_str());
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    int descriptor() const { return m_descriptor; }
    void takePlace() {
        if (::rename(m_path.c_str(), m_target.c_str()) != 0)
            throwWriteFailure(m_target, errno);
        m_renamed = true;
        // the folder's entry, too, is to be on the disk; where a file system can't, the file is written all
        // the same
        const auto folder = m_target.has_parent_path() ? m_target.parent_path() : std::filesystem::path(".");
        const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (descriptor < 0)
            return;
        ::fsync(descriptor);
        ::close(descriptor);
    }

private:
    const std::filesystem::path& m_target;
    std::filesystem::path m_path;
    int m_descriptor = -1;
    bool m_renamed = false;
};

void fill(int descriptor, const std::filesystem::path& target,
          const std::function<void(std::ostream&)>& write, bool toDisk) {
    DescriptorBuffer buffer(descriptor, target);
    std::ostream stream(&buffer);
    stream.exceptions(std::ios::badbit); // lets the buffer's errors through
    write(stream);
    buffer.finish(toDisk);
}

} // namespace

void writeAtomically(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write) {
    std::error_code unresolved;
    // through a link to the file that it names, which is what is to be replaced
    std::filesystem::path target = std::filesystem::canonical(path, unresolved);
    if (unresolved)
        target = path;
    if (!target.has_filename())
        throw EngineError("'" + path.string() + "' is no name for a file",
                          "Give a file name after the folder.");
    struct stat info {};
    const bool exists = ::stat(target.c_str(), &info) == 0;
    if (exists && S_ISDIR(info.st_mode))
        throw EngineError("'" + path.string() + "' is a folder: a file can't take its place",
                          "Give a file name in that folder.");
    if (exists && ::access(target.c_str(), W_OK) != 0)
        throwWriteFailure(path, errno);
    if (exists && !S_ISREG(info.st_mode)) {
        // a device or a pipe can't be replaced: it takes the bytes themselves
        const int descriptor = ::open(target.c_str(), O_WRONLY | O_CLOEXEC);
        if (descriptor < 0)
            throwWriteFailure(path, errno);
        fill(descriptor, path, write, false);
        return;
    }
    constexpr ::mode_t usual = 0666; // less what the user's mask takes away
    TemporaryFile temporary(target, usual);
    if (exists)
        ::fchmod(temporary.descriptor(), info.st_mode & 07777);
    fill(temporary.descriptor(), path, write, true);
    temporary.takePlace();
}

} // namespace scanloupe
