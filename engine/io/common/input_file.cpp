// Implements positioned reads of files, and their error messages.
#include "engine/io/common/input_file.h"

#include "engine/cloud/error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace scanloupe {

namespace {

[[noreturn]] void throwOpenFailure(const std::filesystem::path& path, int code) {
    const std::string name = "'" + path.string() + "'";
    switch (code) {
    case ENOENT:
    case ENOTDIR:
        throw EngineError("there is no file " + name,
                          "Check the path: the file may have been moved or renamed.");
    case EACCES:
    case EPERM:
        throw EngineError("the file " + name + " can't be opened: you have no permission to read it",
                          "Change its permissions, or copy it to one of your folders.");
    case EMFILE:
    case ENFILE:
        throw EngineError("the file " + name + " can't be opened: too many files are open",
                          "Close other scans or programs and open it again.");
    default:
        throw EngineError("the file " + name + " can't be opened: " + std::strerror(code),
                          "Check that its drive is connected and has no errors.");
    }
}

} // namespace

InputFile::InputFile(const std::filesystem::path& path) : m_path(path) {
    // O_NONBLOCK: opening a pipe without a writer would block forever
    m_descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (m_descriptor < 0)
        throwOpenFailure(path, errno);
    struct stat info {};
    const bool known = ::fstat(m_descriptor, &info) == 0;
    const auto refuse = [&](const std::string& what, const std::string& next) {
        ::close(m_descriptor);
        throw EngineError(what, next);
    };
    if (!known)
        refuse("the file '" + path.string() + "' can't be accessed", "Check that its drive is connected.");
    if (S_ISDIR(info.st_mode))
        refuse("'" + path.string() + "' is a folder, not a file",
               "Choose a file in it, or open it as a folder of scans.");
    if (!S_ISREG(info.st_mode))
        refuse("'" + path.string() + "' is a device or a pipe, not a file",
               "Save its content to a file first.");
    if (info.st_size == 0)
        refuse("the file '" + path.string() + "' is empty: it has 0 bytes", "Copy or export it again.");
    m_size = static_cast<std::uint64_t>(info.st_size);
    m_modifiedSeconds = info.st_mtim.tv_sec;
    m_modifiedNanoseconds = info.st_mtim.tv_nsec;
}

InputFile::InputFile(const InputFile& same, int descriptor)
    : m_path(same.m_path), m_descriptor(descriptor), m_size(same.m_size),
      m_modifiedSeconds(same.m_modifiedSeconds), m_modifiedNanoseconds(same.m_modifiedNanoseconds) {}

std::shared_ptr<const InputFile> InputFile::held() const {
    return cutTo(m_size);
}

std::shared_ptr<const InputFile> InputFile::cutTo(std::uint64_t size) const {
    const int descriptor = ::fcntl(m_descriptor, F_DUPFD_CLOEXEC, 0);
    if (descriptor < 0)
        throwOpenFailure(m_path, errno);
    auto cut = std::shared_ptr<InputFile>(new InputFile(*this, descriptor));
    cut->m_size = size;
    return cut;
}

std::shared_ptr<const InputFile> InputFile::withContentOf(int other) const {
    const int descriptor = ::fcntl(other, F_DUPFD_CLOEXEC, 0);
    struct stat info {};
    if (descriptor < 0 || ::fstat(descriptor, &info) != 0) {
        const int code = errno;
        if (descriptor >= 0)
            ::close(descriptor);
        throwOpenFailure(m_path, code);
    }
    auto file = std::shared_ptr<InputFile>(new InputFile(*this, descriptor));
    file->m_size = static_cast<std::uint64_t>(info.st_size);
    return file;
}

void InputFile::requireUnchanged() const {
    struct stat info {};
    if (::fstat(m_descriptor, &info) != 0 || static_cast<std::uint64_t>(info.st_size) != m_size ||
        info.st_mtim.tv_sec != m_modifiedSeconds || info.st_mtim.tv_nsec != m_modifiedNanoseconds)
        throw EngineError("the file '" + m_path.string() + "' has changed since it was opened",
                          "Open it again to load its current content.");
}

InputFile::~InputFile() {
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

void InputFile::read(std::uint64_t offset, std::span<std::byte> target) const {
    while (!target.empty()) {
        const ::ssize_t got =
            ::pread(m_descriptor, target.data(), target.size(), static_cast<::off_t>(offset));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            throw EngineError("the file '" + m_path.string() + "' can't be read: " + std::strerror(errno),
                              "Check that its drive is connected and has no errors.");
        if (got == 0)
            throw EngineError("the file '" + m_path.string() + "' became shorter while it was read",
                              "Wait until the program that writes it has finished, then open it again.");
        offset += static_cast<std::uint64_t>(got);
        target = target.subspan(static_cast<std::size_t>(got));
    }
}

std::string InputFile::head(std::size_t limit) const {
    std::string text(static_cast<std::size_t>(std::min<std::uint64_t>(limit, m_size)), '\0');
    read(0, std::span<char>(text));
    return text;
}

std::string readSmallFile(const std::filesystem::path& path, std::uint64_t limit) {
    const InputFile file(path);
    if (file.size() > limit)
        throw EngineError("the file '" + path.string() + "' is too large for this kind of file: it has " +
                              std::to_string(file.size()) + " bytes",
                          "Check that it is the right file.");
    return file.head(static_cast<std::size_t>(limit));
}

const std::byte* BlockReader::read(std::size_t count) {
    if (count > kBlock || m_position > m_file.size() || count > m_file.size() - m_position)
        return nullptr;
    const bool inside = m_position >= m_blockStart && m_position + count <= m_blockStart + m_block.size();
    if (!inside) {
        m_blockStart = m_position;
        m_block.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, m_file.size() - m_position)));
        m_file.read(m_blockStart, m_block);
    }
    const std::byte* bytes = m_block.data() + (m_position - m_blockStart);
    m_position += count;
    return bytes;
}

bool BlockReader::skip(std::uint64_t count) {
    if (m_position > m_file.size() || count > m_file.size() - m_position)
        return false;
    m_position += count;
    return true;
}

} // namespace scanloupe
