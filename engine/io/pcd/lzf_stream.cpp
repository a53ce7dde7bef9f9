// Decompresses LZF (M. Lehmann's liblzf), an LZ77 format of literal runs and back references.
#include "engine/io/pcd/lzf_stream.h"

#include "kernels/core/error.h"

#include <algorithm>
#include <cstring>

namespace scanloupe {

namespace {

constexpr std::size_t kMaxDistance = 8192;           // maximum distance of a back reference, bytes
constexpr std::size_t kMaxMatch = 264;               // maximum output of one instruction, bytes
constexpr std::size_t kPiece = std::size_t{1} << 18; // bytes passed to the sink at once

/// Sliding window over the output: the bytes that back references can reach, and bytes that are not flushed
/// yet.
class Window {
public:
    explicit Window(const std::function<void(std::span<const std::byte>)>& sink) : m_sink(sink) {}

    void literal(const std::byte* bytes, std::size_t count) {
        makeRoom();
        std::memcpy(m_bytes.data() + m_end, bytes, count);
        m_end += count;
    }
    /// Appends `count` bytes from `distance` bytes back. Returns false if that is before the beginning of the
    /// output.
    bool copyMatch(std::size_t distance, std::size_t count) {
        if (distance > m_end)
            return false;
        makeRoom();
        if (distance > m_end)
            return false;
        std::byte* to = m_bytes.data() + m_end;
        const std::byte* from = to - distance;
        for (std::size_t i = 0; i < count; ++i)
            to[i] = from[i]; // byte by byte, since the ranges may overlap
        m_end += count;
        return true;
    }
    void flush() {
        m_sink({m_bytes.data() + m_flushed, m_end - m_flushed});
        m_total += m_end - m_flushed;
        m_flushed = m_end;
    }
    std::uint64_t total() const { return m_total; }

private:
    void makeRoom() {
        if (m_end + kMaxMatch <= m_bytes.size())
            return;
        flush();
        std::memmove(m_bytes.data(), m_bytes.data() + m_end - kMaxDistance, kMaxDistance);
        m_end = m_flushed = kMaxDistance;
    }
    const std::function<void(std::span<const std::byte>)>& m_sink;
    std::vector<std::byte> m_bytes = std::vector<std::byte>(kMaxDistance + kPiece);
    std::size_t m_end = 0, m_flushed = 0;
    std::uint64_t m_total = 0;
};

} // namespace

std::uint64_t decompressLzf(const InputFile& file, std::uint64_t offset, std::uint64_t packed,
                            const std::function<void(std::span<const std::byte>)>& sink,
                            const std::stop_token& stop) {
    const std::uint64_t end = offset + std::min(packed, file.size() - std::min(offset, file.size()));
    BlockReader reader(file, offset);
    Window window(sink);
    const auto nextByte = [&]() -> int {
        if (reader.position() >= end)
            return -1;
        const std::byte* byte = reader.read(1);
        return byte ? std::to_integer<int>(*byte) : -1;
    };
    for (std::uint64_t step = 0;; ++step) {
        if (step % 65536 == 0 && stop.stop_requested())
            throw Cancelled();
        const int control = nextByte();
        if (control < 0)
            break;
        if (control < 32) {
            const auto count = static_cast<std::size_t>(control) + 1;
            const std::byte* bytes = reader.position() + count <= end ? reader.read(count) : nullptr;
            if (!bytes)
                break;
            window.literal(bytes, count);
            continue;
        }
        int count = control >> 5;
        if (count == 7) {
            const int more = nextByte();
            if (more < 0)
                break;
            count += more;
        }
        const int low = nextByte();
        if (low < 0 || !window.copyMatch(static_cast<std::size_t>((control & 31) << 8 | low) + 1,
                                         static_cast<std::size_t>(count) + 2))
            break;
    }
    window.flush();
    return window.total();
}

} // namespace scanloupe
