#pragma once
// Declares the writer of NumPy's .npz: arrays in an uncompressed ZIP archive (PKWARE APPNOTE 6.3.9).
#include "engine/io/npy/npy_header.h"

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace scanloupe {

/// Writes an archive in one pass, so that it can go through a pipe. It has no dates: the same arrays give the
/// same bytes.
class NpzArchive {
public:
    explicit NpzArchive(std::ostream& stream) : m_stream(stream) {}

    /// Adds an array in C order, whose elements `write` writes into its stream. An empty shape: one value.
    /// @throws Fault when they are more or fewer than the shape says; exceptions of `write` and the stream
    void add(const std::string& name, const NpyType& type, const std::vector<std::size_t>& shape,
             const std::function<void(std::ostream&)>& write);
    /// Adds an array of numbers, [n].
    template <class T>
    void add(const std::string& name, ScalarType type, const std::vector<T>& values) {
        add(name, type, {values.size()}, [&](std::ostream& out) {
            out.write(reinterpret_cast<const char*>(values.data()),
                      static_cast<std::streamsize>(values.size() * sizeof(T)));
        });
    }
    /// Adds an array of texts, [n], or a single text.
    void add(const std::string& name, const std::vector<std::string>& texts);
    void add(const std::string& name, const std::string& text);
    /// Writes the directory of the archive; nothing can be added then.
    void finish();

private:
    struct Entry {
        std::string file;
        std::uint32_t crc = 0;
        std::uint64_t size = 0, offset = 0;
    };
    void addTexts(const std::string& name, const std::vector<std::string>& texts,
                  const std::vector<std::size_t>& shape);
    void addFile(const std::string& name, const std::string& header, std::uint64_t bytes,
                 const std::function<void(std::ostream&)>& write);
    void put(const std::string& bytes);

    std::ostream& m_stream;
    std::uint64_t m_written = 0;
    std::vector<Entry> m_entries;
};

} // namespace scanloupe
