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

/// Writer of an archive. It writes in a single pass, so that the stream may be a pipe. The archive contains
/// no dates, so that equal arrays result in equal bytes.
class NpzArchive {
public:
    explicit NpzArchive(std::ostream& stream);

    /// Adds an array in C order. `write` must write the elements to its stream. An empty shape is a single
    /// value. @throws Fault if `write` writes another number of bytes than the shape requires; exceptions of
    /// `write` and of the archive's stream
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
    /// Adds an array of texts, [n].
    void add(const std::string& name, const std::vector<std::string>& texts);
    /// Adds a single text.
    void add(const std::string& name, const std::string& text);
    /// Writes the directory of the archive. An archive without its directory is invalid. Nothing can be added
    /// afterwards.
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
    std::exception_ptr m_thrown; ///< exception of the stream, rethrown after libarchive returns
    std::unique_ptr<archive, Closer> m_archive;
};

} // namespace scanloupe
