#pragma once
// Declares the opaque metadata that a cloud keeps of its file.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace scanloupe {

/// Metadata of a file that a cloud does not represent, kept for writing another file of the same format.
/// Opaque except to the reader and the writer of that format.
class SourceMetadata {
public:
    virtual ~SourceMetadata() = default;
    virtual std::uint64_t bytes() const = 0;
    /// The metadata of a cloud with only some of the rows.
    virtual std::shared_ptr<const SourceMetadata> ofRows(std::span<const std::size_t> rows) const = 0;
};

} // namespace scanloupe
