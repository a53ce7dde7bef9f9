// Writes ZIP archives of NumPy's arrays: stored, with checksums behind the data, and with 64-bit sizes where
// they are needed.
#include "engine/io/npy/npz_archive.h"

#include "engine/io/common/text/utf8.h"
#include "engine/io/common/write/write_pieces.h"
#include "kernels/core/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <streambuf>
#include <zlib.h>

namespace scanloupe {

namespace {

// numbers of the specification
constexpr std::uint32_t kLocalHeader = 0x04034b50, kDescriptor = 0x08074b50, kCentralHeader = 0x02014b50;
constexpr std::uint32_t kEnd = 0x06054b50, kEnd64 = 0x06064b50, kLocator64 = 0x07064b50;
constexpr std::uint16_t kVersion = 20, kVersion64 = 45;
constexpr std::uint16_t kSizesFollow = 1u << 3;
constexpr std::uint16_t kExtra64 = 1;
constexpr std::uint16_t kDate1980 = (1u << 5) | 1; // January 1st, the first that there is
constexpr std::uint64_t kMost32 = 0xffffffff, kMost16 = 0xffff;

std::uint32_t clamped32(std::uint64_t value) {
    return static_cast<std::uint32_t>(std::min(value, kMost32));
}

/// Passes on what is written, and counts and sums it.
class SummingBuffer : public std::streambuf {
public:
    explicit SummingBuffer(std::ostream& target) : m_target(target) {}
    std::uint32_t crc() const { return static_cast<std::uint32_t>(m_crc); }
    std::uint64_t size() const { return m_size; }

protected:
    int_type overflow(int_type c) override {
        const char byte = traits_type::to_char_type(c);
        return xsputn(&byte, 1) == 1 ? c : traits_type::eof();
    }
    std::streamsize xsputn(const char* bytes, std::streamsize count) override {
        if (count == 0) // an empty array may have no data, which zlib takes for a request to begin anew
            return 0;
        m_crc = ::crc32_z(m_crc, reinterpret_cast<const Bytef*>(bytes), static_cast<z_size_t>(count));
        m_size += static_cast<std::uint64_t>(count);
        m_target.write(bytes, count);
        return count;
    }

private:
    std::ostream& m_target;
    uLong m_crc = ::crc32_z(0, nullptr, 0);
    std::uint64_t m_size = 0;
};

/// What the two headers of a file have in common, from the version to the sizes.
std::string commonHeader(bool large, std::uint32_t crc, std::uint64_t size) {
    std::string header;
    appendRaw(header, large ? kVersion64 : kVersion);
    appendRaw(header, kSizesFollow);
    appendRaw(header, std::uint16_t{0}); // stored
    appendRaw(header, std::uint16_t{0}); // midnight
    appendRaw(header, kDate1980);
    appendRaw(header, crc);
    appendRaw(header, clamped32(size)); // compressed
    appendRaw(header, clamped32(size));
    return header;
}

} // namespace

void NpzArchive::put(const std::string& bytes) {
    m_stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    m_written += bytes.size();
}

void NpzArchive::addFile(const std::string& name, const std::string& header, std::uint64_t bytes,
                         const std::function<void(std::ostream&)>& write) {
    Entry entry{name + ".npy", 0, header.size() + bytes, m_written};
    const bool large = entry.size >= kMost32;
    std::string local;
    appendRaw(local, kLocalHeader);
    local += commonHeader(large, 0, large ? kMost32 : 0); // both stand in the descriptor
    appendRaw(local, static_cast<std::uint16_t>(entry.file.size()));
    appendRaw(local, static_cast<std::uint16_t>(large ? 20 : 0));
    local += entry.file;
    if (large) {
        appendRaw(local, kExtra64);
        appendRaw(local, std::uint16_t{16});
        appendRaw(local, std::uint64_t{0});
        appendRaw(local, std::uint64_t{0});
    }
    put(local);
    SummingBuffer buffer(m_stream);
    std::ostream stream(&buffer);
    stream.exceptions(std::ios::badbit); // rethrows exceptions of the target
    stream.write(header.data(), static_cast<std::streamsize>(header.size()));
    write(stream);
    if (buffer.size() != entry.size)
        throw Fault("the array " + name + " has another size than was said");
    m_written += buffer.size();
    entry.crc = buffer.crc();
    std::string descriptor;
    appendRaw(descriptor, kDescriptor);
    appendRaw(descriptor, entry.crc);
    for (int i = 0; i < 2; ++i) {
        if (large)
            appendRaw(descriptor, entry.size);
        else
            appendRaw(descriptor, static_cast<std::uint32_t>(entry.size));
    }
    put(descriptor);
    m_entries.push_back(std::move(entry));
}

void NpzArchive::add(const std::string& name, const NpyType& type, const std::vector<std::size_t>& shape,
                     const std::function<void(std::ostream&)>& write) {
    const auto count =
        std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<std::uint64_t>());
    addFile(name, npyHeader("'" + type.name + "'", shape), count * type.bytes, write);
}

void NpzArchive::addTexts(const std::string& name, const std::vector<std::string>& texts,
                          const std::vector<std::size_t>& shape) {
    std::vector<std::u32string> wide;
    std::size_t longest = 1; // NumPy has no texts of no length
    for (const std::string& text : texts) {
        wide.push_back(utf8OrLatin1(text));
        longest = std::max(longest, wide.back().size());
    }
    std::string bytes;
    for (std::u32string& text : wide) {
        text.resize(longest, U'\0');
        for (const char32_t codePoint : text)
            appendRaw(bytes, codePoint);
    }
    addFile(name, npyHeader(fmt::format("'<U{}'", longest), shape), bytes.size(),
            [&](std::ostream& out) { out.write(bytes.data(), static_cast<std::streamsize>(bytes.size())); });
}

void NpzArchive::add(const std::string& name, const std::vector<std::string>& texts) {
    addTexts(name, texts, {texts.size()});
}

void NpzArchive::add(const std::string& name, const std::string& text) {
    addTexts(name, {text}, {});
}

void NpzArchive::finish() {
    const std::uint64_t start = m_written;
    for (const Entry& entry : m_entries) {
        const bool large = entry.size >= kMost32, far = entry.offset >= kMost32;
        std::string extra;
        if (large) {
            appendRaw(extra, entry.size);
            appendRaw(extra, entry.size);
        }
        if (far)
            appendRaw(extra, entry.offset);
        std::string header;
        appendRaw(header, kCentralHeader);
        appendRaw(header, large || far ? kVersion64 : kVersion);
        header += commonHeader(large || far, entry.crc, entry.size);
        appendRaw(header, static_cast<std::uint16_t>(entry.file.size()));
        appendRaw(header, static_cast<std::uint16_t>(extra.empty() ? 0 : extra.size() + 4));
        header.append(2 + 2 + 2 + 4, '\0'); // no comment, first disk, no attributes
        appendRaw(header, clamped32(entry.offset));
        header += entry.file;
        if (!extra.empty()) {
            appendRaw(header, kExtra64);
            appendRaw(header, static_cast<std::uint16_t>(extra.size()));
            header += extra;
        }
        put(header);
    }
    const std::uint64_t size = m_written - start, entries = m_entries.size();
    std::string end;
    if (start >= kMost32 || size >= kMost32 || entries >= kMost16) {
        const std::uint64_t end64 = m_written;
        appendRaw(end, kEnd64);
        appendRaw(end, std::uint64_t{44}); // bytes that follow
        appendRaw(end, kVersion64);
        appendRaw(end, kVersion64);
        end.append(4 + 4, '\0'); // first disk
        for (const std::uint64_t value : {entries, entries, size, start})
            appendRaw(end, value);
        appendRaw(end, kLocator64);
        end.append(4, '\0');
        appendRaw(end, end64);
        appendRaw(end, std::uint32_t{1}); // disks
    }
    appendRaw(end, kEnd);
    end.append(2 + 2, '\0');
    appendRaw(end, static_cast<std::uint16_t>(std::min(entries, kMost16)));
    appendRaw(end, static_cast<std::uint16_t>(std::min(entries, kMost16)));
    appendRaw(end, clamped32(size));
    appendRaw(end, clamped32(start));
    end.append(2, '\0');
    put(end);
}

} // namespace scanloupe
