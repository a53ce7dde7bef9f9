// Writes NumPy arrays to uncompressed ZIP archives. libarchive accepts an array in pieces and writes its
// checksum after the data, so it needs no seeking and archives can be piped. libzip 1.11 can't write to
// pipes.
#include "engine/io/npy/npz_archive.h"

#include "engine/io/common/text/utf8.h"
#include "engine/io/common/write/write_pieces.h"
#include "kernels/core/error.h"

#include <algorithm>
#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <new>
#include <numeric>
#include <streambuf>
#include <utility>

namespace scanloupe {

/// Stream buffer that passes the bytes of an array to the archive, and counts them.
class NpzArchive::ArrayBuffer : public std::streambuf {
public:
    explicit ArrayBuffer(NpzArchive& target) : m_target(target) {}
    std::uint64_t size() const { return m_size; }

protected:
    int_type overflow(int_type c) override {
        const char byte = traits_type::to_char_type(c);
        return xsputn(&byte, 1) == 1 ? c : traits_type::eof();
    }
    std::streamsize xsputn(const char* bytes, std::streamsize count) override {
        if (count == 0) // the data of an empty array may be null, which would reset zlib's CRC
            return 0;
        m_size += static_cast<std::uint64_t>(count);
        m_target.require(
            ::archive_write_data(m_target.m_archive.get(), bytes, static_cast<std::size_t>(count)) >= 0);
        return count;
    }

private:
    NpzArchive& m_target;
    std::uint64_t m_size = 0;
};

void NpzArchive::Closer::operator()(archive* open) const {
    ::archive_write_fail(open); // without this, freeing would finish the archive and write to a stream that
                                // may no longer exist
    ::archive_write_free(open);
}

std::ptrdiff_t NpzArchive::take(archive* /*from*/, void* self, const void* bytes, std::size_t count) {
    auto* const npz = static_cast<NpzArchive*>(self);
    try {
        npz->m_stream.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(count));
        return static_cast<std::ptrdiff_t>(count);
    } catch (...) {
        npz->m_thrown = std::current_exception();
        return -1;
    }
}

void NpzArchive::require(bool succeeded) {
    if (m_thrown)
        std::rethrow_exception(std::exchange(m_thrown, {}));
    if (!succeeded) {
        const char* what = ::archive_error_string(m_archive.get());
        throw Fault(fmt::format("libarchive rejected an array: {}", what ? what : "unknown reason"));
    }
}

NpzArchive::NpzArchive(std::ostream& stream) : m_stream(stream), m_archive(::archive_write_new()) {
    archive* const open = m_archive.get();
    if (!open)
        throw std::bad_alloc();
    require(::archive_write_set_format_zip(open) == ARCHIVE_OK &&
            ::archive_write_zip_set_compression_store(open) == ARCHIVE_OK &&
            ::archive_write_set_bytes_per_block(open, 0) == ARCHIVE_OK && // no buffering in blocks
            ::archive_write_open(open, this, nullptr, take, nullptr) == ARCHIVE_OK);
}

void NpzArchive::addFile(const std::string& name, const std::string& header, std::uint64_t bytes,
                         const std::function<void(std::ostream&)>& write) {
    const std::uint64_t size = header.size() + bytes;
    struct Freer {
        void operator()(archive_entry* it) const { ::archive_entry_free(it); }
    };
    const std::unique_ptr<archive_entry, Freer> entry(::archive_entry_new());
    if (!entry)
        throw std::bad_alloc();
    ::archive_entry_set_pathname(entry.get(), (name + ".npy").c_str());
    ::archive_entry_set_filetype(entry.get(), AE_IFREG);
    ::archive_entry_set_perm(entry.get(), 0644);
    ::archive_entry_set_size(entry.get(), static_cast<la_int64_t>(size));
    require(::archive_write_header(m_archive.get(), entry.get()) == ARCHIVE_OK);
    ArrayBuffer buffer(*this);
    std::ostream stream(&buffer);
    stream.exceptions(std::ios::badbit); // makes the stream rethrow exceptions of its buffer
    stream.write(header.data(), static_cast<std::streamsize>(header.size()));
    write(stream);
    if (buffer.size() != size)
        throw Fault(fmt::format("the array {} has {} bytes instead of {}", name, buffer.size(), size));
    require(::archive_write_finish_entry(m_archive.get()) == ARCHIVE_OK);
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
    std::size_t longest = 1; // NumPy's string types have at least one character
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
    require(::archive_write_close(m_archive.get()) == ARCHIVE_OK);
}

} // namespace scanloupe
