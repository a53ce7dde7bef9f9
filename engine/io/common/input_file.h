#pragma once
// Declares files that are read at given offsets, from several threads at once.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace scanloupe {

/// An open file that is read at given offsets. Memory mapping is not used: if a file shrinks or a network
/// drive disconnects, a mapping would kill the program, while reading reports an error. In addition, pages of
/// a mapping would count as memory of the process.
class InputFile {
public:
    /// @throws EngineError if the file is missing, a folder, not a regular file, unreadable or empty.
    explicit InputFile(const std::filesystem::path& path);
    ~InputFile();
    /// Returns another handle of the same open file. It remains valid after the file was renamed or replaced.
    /// @throws EngineError
    std::shared_ptr<const InputFile> held() const;
    /// Returns the same open file, truncated to its first `size` bytes. @param size at most the size of the
    /// file
    /// @throws EngineError
    std::shared_ptr<const InputFile> cutTo(std::uint64_t size) const;
    /// Returns the content of another open file under this file's name. @param descriptor of the other file,
    /// still owned by the caller
    /// @throws EngineError
    std::shared_ptr<const InputFile> withContentOf(int descriptor) const;
    /// @throws EngineError if the file was modified since it was opened
    void requireUnchanged() const;
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    std::uint64_t size() const { return m_size; }
    /// Time of the last modification when the file was opened, in nanoseconds.
    std::int64_t written() const { return m_modifiedSeconds * 1'000'000'000 + m_modifiedNanoseconds; }
    const std::filesystem::path& path() const { return m_path; }
    std::string name() const { return m_path.filename().string(); } ///< name for messages

    /// Reads `target.size()` bytes starting at `offset`. Can be called from several threads.
    /// @throws EngineError if the file ends before, or the system can't read it.
    void read(std::uint64_t offset, std::span<std::byte> target) const;
    void read(std::uint64_t offset, std::span<char> target) const {
        read(offset, std::as_writable_bytes(target));
    }

    /// Returns the first bytes of the file, at most `limit`. @throws EngineError
    std::string head(std::size_t limit) const;

private:
    InputFile(const InputFile& same, int descriptor);

    std::filesystem::path m_path;
    int m_descriptor = -1;
    std::uint64_t m_size = 0;
    std::int64_t m_modifiedSeconds = 0, m_modifiedNanoseconds = 0; ///< last modification when the file was
                                                                   ///< opened
};

/// Reads a small, hand-editable file completely. @throws EngineError as InputFile, or if the file has more
/// than `limit` bytes
std::string readSmallFile(const std::filesystem::path& path, std::uint64_t limit);

/// Reads a file sequentially through a buffer of one block.
class BlockReader {
public:
    BlockReader(const InputFile& file, std::uint64_t offset) : m_file(file), m_position(offset) {}

    /// Returns the next `count` bytes (at most a block), valid until the next call; null if the file ends
    /// before.
    const std::byte* read(std::size_t count);
    /// Skips `count` bytes; returns false if the file ends before.
    bool skip(std::uint64_t count);
    std::uint64_t position() const { return m_position; }

    static constexpr std::size_t kBlock = std::size_t{1} << 20;

private:
    const InputFile& m_file;
    std::uint64_t m_position;       ///< offset of the next byte
    std::uint64_t m_blockStart = 0; ///< offset of the block in the file
    std::vector<std::byte> m_block;
};

} // namespace scanloupe
