#pragma once
// Declares files that are read by position, from several threads at once.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace scanloupe {

/// An open file. Read by position instead of mapped: a file that shrinks or a network drive that goes away
/// while it is read becomes an error here, where a mapping would end the program, and read pages never count
/// as our memory.
class InputFile {
public:
    /// @throws EngineError when the file is missing, a folder, not a regular file, unreadable or empty.
    explicit InputFile(const std::filesystem::path& path);
    ~InputFile();
    /// The same open file, for later access: also after it was renamed or replaced. @throws EngineError
    std::shared_ptr<const InputFile> held() const;
    /// The same open file, truncated to its first `size` bytes, which must not be more than it has.
    /// @throws EngineError
    std::shared_ptr<const InputFile> cutTo(std::uint64_t size) const;
    /// The content of another open file under this one's name; `descriptor` remains the caller's.
    /// @throws EngineError
    std::shared_ptr<const InputFile> withContentOf(int descriptor) const;
    /// @throws EngineError when the file was written to since it was opened
    void requireUnchanged() const;
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    std::uint64_t size() const { return m_size; }
    /// When the file was written to last, as it was opened, in nanoseconds.
    std::int64_t written() const { return m_modifiedSeconds * 1'000'000'000 + m_modifiedNanoseconds; }
    const std::filesystem::path& path() const { return m_path; }
    std::string name() const { return m_path.filename().string(); } ///< for messages

    /// Fills `target` from `offset` on. Safe from several threads.
    /// @throws EngineError when the file ends before, or the system can't read it.
    void read(std::uint64_t offset, std::span<std::byte> target) const;
    void read(std::uint64_t offset, std::span<char> target) const {
        read(offset, std::as_writable_bytes(target));
    }

    /// The first bytes of the file, at most `limit` of them. @throws EngineError
    std::string head(std::size_t limit) const;

private:
    InputFile(const InputFile& same, int descriptor);

    std::filesystem::path m_path;
    int m_descriptor = -1;
    std::uint64_t m_size = 0;
    std::int64_t m_modifiedSeconds = 0, m_modifiedNanoseconds = 0; ///< when it was opened
};

/// Reads a small, hand-editable file as a whole. @throws EngineError as InputFile does, and when the file has
/// more than `limit` bytes
std::string readSmallFile(const std::filesystem::path& path, std::uint64_t limit);

/// Reads a file sequentially, through a buffer of one block.
class BlockReader {
public:
    BlockReader(const InputFile& file, std::uint64_t offset) : m_file(file), m_position(offset) {}

    /// Reads the next `count` bytes (at most a block); null when the file ends before. They are valid until
    /// the next call.
    const std::byte* read(std::size_t count);
    /// Skips `count` bytes; false when the file ends before.
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
