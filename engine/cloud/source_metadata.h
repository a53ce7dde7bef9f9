#pragma once
// Declares the metadata of its file that a cloud keeps without interpreting it.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace scanloupe {

/// Metadata of a file that has no counterpart in a cloud, kept for writing another file of the same format.
/// Only the reader and the writer of that format interpret it.
class SourceMetadata {
public:
    virtual ~SourceMetadata() = default;
    virtual std::uint64_t bytes() const = 0;
    /// Returns the metadata of a cloud that consists of the given rows only.
    virtual std::shared_ptr<const SourceMetadata> ofRows(std::span<const std::size_t> rows) const = 0;
};

} // namespace scanloupe
