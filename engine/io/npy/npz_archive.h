#pragma once
// Declares the writer of NumPy's .npz: arrays in an uncompressed ZIP archive, by libarchive.
#include "engine/io/npy/npy_header.h"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

struct archive;

namespace scanloupe {

/// Writes an archive in one pass, so that it can be written to a pipe. It contains no dates, so that equal
/// arrays give equal bytes.
class NpzArchive {
public:
    explicit NpzArchive(std::ostream& stream);

    /// Adds an array in C order, whose elements `write` writes to its stream. An empty shape is a single
    /// value.
    /// @throws Fault if the number of elements differs from the shape; exceptions of `write` and the stream
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
    /// Writes the directory of the archive, without which it is invalid. Nothing can be added afterwards.
    void finish();

private:
    struct Closer {
        void operator()(archive* open) const;
    };
    class ArrayBuffer;
    void addTexts(const std::string& name, const std::vector<std::string>& texts,
                  const std::vector<std::size_t>& shape);
    void addFile(const std::string& name, const std::string& header, std::uint64_t bytes,
                 const std::function<void(std::ostream&)>& write);
    static std::ptrdiff_t take(archive* from, void* self, const void* bytes, std::size_t count);
    void require(bool succeeded);

    std::ostream& m_stream;
    std::exception_ptr m_thrown; ///< exception of the stream, to be rethrown outside libarchive
    std::unique_ptr<archive, Closer> m_archive;
};

} // namespace scanloupe
