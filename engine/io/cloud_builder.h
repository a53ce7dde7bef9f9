#pragma once
// Makes a PointCloud out of a file's columns: the shared half of all readers.
#include "engine/cloud/point_cloud.h"
#include "engine/io/column_copy.h"
#include "engine/io/input_file.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

/// One column as the file declares it.
struct Field {
    std::string name; ///< as in the file
    ScalarType type = ScalarType::float32;
    bool dropped = false;                    ///< padding: read, but not kept
    bool packed = false;                     ///< a 32-bit colour, 0xAARRGGBB: becomes red, green, blue
    bool hasAlpha = false;                   ///< and alpha
    std::string description = {};            ///< in the file's words; empty without any
    std::optional<ValueRange> declared = {}; ///< see Attribute
};

/// Memory for the rows of a cloud, filled column by column or value by value.
class CloudBuilder {
public:
    /// Takes memory for `rows` rows, each with so many hidden bytes that no attribute shows. @throws
    /// EngineError when a field of x, y, z is missing, or there is less memory than they need; KernelError
    CloudBuilder(const InputFile& file, std::span<const Field> fields, std::size_t rows,
                 std::size_t opaqueBytes = 0);

    std::size_t rows() const { return m_rows; }
    /// [F] where the values of each field go.
    const std::vector<ColumnTarget>& targets() const { return m_targets; }

    /// Moves `count` rows from row `from` down to row `to`.
    void moveRows(std::size_t to, std::size_t from, std::size_t count);
    /// Forgets the rows past `rows`.
    void shrink(std::size_t rows);

    /// A further attribute for all rows, not filled; its name is made unique.
    std::byte* addAttribute(std::string name, ScalarType type);
    Positions& positions() { return m_positions; }
    /// [rows, opaqueBytes]; null when a row has none.
    std::byte* opaque() const { return m_opaqueData; }
    Buffer<std::byte> releaseOpaque() { return std::move(m_opaque); }

    /// The cloud, with the digits after the point that a text file used (-1: not from text).
    std::shared_ptr<PointCloud> finish(int decimals, const std::stop_token& stop);

private:
    void addCoordinates(const InputFile& file, std::span<const Field> fields,
                        const std::vector<std::string>& names);

    std::size_t m_rows, m_opaqueBytes;
    Buffer<std::byte> m_opaque;
    std::byte* m_opaqueData = nullptr;
    std::string m_path;
    Positions m_positions;
    std::vector<Attribute> m_attributes;
    std::set<std::string> m_names; ///< of the attributes
    std::vector<ColumnTarget> m_targets;
};

/// A sentence for the counts of a file that ends too early.
std::string truncationWarning(std::uint64_t whole, std::uint64_t claimed);

/// The error for a file without a single whole point though its header claims some.
[[noreturn]] void throwNothingWhole(const InputFile& file, std::uint64_t claimed);

} // namespace scanloupe
