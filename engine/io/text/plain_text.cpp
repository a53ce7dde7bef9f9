// Decodes UTF-16 (RFC 2781) to UTF-8, and removes NUL bytes at the end of a text.
#include "engine/io/text/plain_text.h"

#include "engine/cloud/error.h"
#include "engine/compute/memory.h"
#include "engine/io/common/text/utf8.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace scanloupe {

namespace {

constexpr std::size_t kTextBlock = std::size_t{1}
                                   << 16; // bytes per block; even, so that blocks don't split 16-bit units
constexpr char32_t kReplacement = 0xfffd; // replaces unpaired surrogates

bool isControlCode(char32_t c) {
    return c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\v';
}

bool isUtf16(std::string_view head) {
    return head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF");
}

char32_t codeUnit(const char* bytes, bool bigEndian) {
    const auto first = static_cast<unsigned char>(bytes[0]), second = static_cast<unsigned char>(bytes[1]);
    return bigEndian ? char32_t(first << 8 | second) : char32_t(second << 8 | first);
}

/// A file in memory (memfd), which is released when its last descriptor is closed.
class MemoryFile {
public:
    explicit MemoryFile(const InputFile& like)
        : m_name(like.name()), m_descriptor(::memfd_create("scanloupe-text", MFD_CLOEXEC)) {
        if (m_descriptor < 0)
            fail();
    }
    ~MemoryFile() {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    int descriptor() const { return m_descriptor; }
    void append(std::string_view bytes) {
        while (!bytes.empty()) {
            const ::ssize_t written = ::write(m_descriptor, bytes.data(), bytes.size());
            if (written < 0 && errno == EINTR)
                continue;
            if (written <= 0)
                fail();
            bytes.remove_prefix(static_cast<std::size_t>(written));
        }
    }

private:
    [[noreturn]] void fail() const {
        throw EngineError("'" + m_name + "' can't be decoded from UTF-16: " + std::strerror(errno),
                          "Save it as UTF-8 in the program that wrote it.");
    }

    std::string m_name;
    int m_descriptor;
};

std::shared_ptr<const InputFile> decodedFromUtf16(const InputFile& file, const std::stop_token& stop) {
    requireMemory({"Decoding '" + file.name() + "' from UTF-16", file.size() / 2,
                   "Save it as UTF-8 in the program that wrote it."},
                  availableHostMemory());
    const bool bigEndian = file.head(2) == "\xFE\xFF";
    MemoryFile decoded(file);
    std::vector<char> block(kTextBlock);
    char32_t high = 0; // pending first half of a surrogate pair; 0: none
    std::u32string characters;
    for (std::uint64_t at = 2; at + 1 < file.size();) {
        if (stop.stop_requested())
            throw Cancelled();
        const auto size =
            static_cast<std::size_t>(std::min<std::uint64_t>(kTextBlock, (file.size() - at) / 2 * 2));
        file.read(at, std::span(block).first(size));
        characters.clear();
        for (std::size_t i = 0; i < size; i += 2) {
            const char32_t unit = codeUnit(block.data() + i, bigEndian);
            const bool isLow = unit >= 0xdc00 && unit < 0xe000, isHigh = unit >= 0xd800 && unit < 0xdc00;
            if (high != 0 && !isLow)
                characters += kReplacement;
            if (high != 0 && isLow)
                characters += 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00);
            else if (!isHigh)
                characters += isLow ? kReplacement : unit;
            high = isHigh ? unit : 0;
        }
        decoded.append(toUtf8(characters));
        at += size;
    }
    return file.withContentOf(decoded.descriptor());
}

/// Returns the size of a file without the NUL bytes at its end.
std::uint64_t sizeWithoutNuls(const InputFile& file, const std::stop_token& stop) {
    std::uint64_t size = file.size();
    std::vector<char> block(kTextBlock);
    while (size > 0) {
        if (stop.stop_requested())
            throw Cancelled();
        const auto bytes =
            std::span(block).first(static_cast<std::size_t>(std::min<std::uint64_t>(kTextBlock, size)));
        file.read(size - bytes.size(), bytes);
        const auto last = std::find_if(bytes.rbegin(), bytes.rend(), [](char c) { return c != '\0'; });
        size -= static_cast<std::uint64_t>(last - bytes.rbegin());
        if (last != bytes.rend())
            break;
    }
    return size;
}

} // namespace

bool isPlainText(std::string_view head) {
    const std::size_t last = head.find_last_not_of('\0');
    if (last == std::string_view::npos)
        return head.empty();
    const std::string_view text = head.substr(0, last + 1);
    if (text.size() < head.size() && text.find_first_of("\r\n") == std::string_view::npos)
        return false;
    return std::none_of(text.begin(), text.end(),
                        [](unsigned char c) { return isControlCode(static_cast<char32_t>(c)); });
}

bool isUtf16Text(std::string_view head) {
    if (!isUtf16(head))
        return false;
    const bool bigEndian = head.front() == '\xFE';
    std::size_t ascii = 0, units = 0;
    bool ends = false; // whether a NUL was found, after which only NULs may follow
    for (std::size_t i = 2; i + 1 < head.size(); i += 2) {
        const char32_t unit = codeUnit(head.data() + i, bigEndian);
        ends = ends || unit == 0;
        if (ends && unit == 0)
            continue;
        if (ends || isControlCode(unit))
            return false;
        ++units;
        ascii += unit < 0x80 ? 1 : 0;
    }
    return 2 * ascii > units;
}

PlainText plainTextOf(const InputFile& file, const std::stop_token& stop) {
    PlainText text;
    text.utf16 = isUtf16(file.head(2));
    text.file = text.utf16 ? decodedFromUtf16(file, stop) : file.held();
    const std::uint64_t size = sizeWithoutNuls(*text.file, stop);
    if (const std::uint64_t nuls = text.file->size() - size; nuls > 0) {
        text.file = text.file->cutTo(size);
        text.warnings.push_back(std::to_string(nuls) + " NUL bytes at the end of the file were ignored.");
    }
    return text;
}

} // namespace scanloupe
