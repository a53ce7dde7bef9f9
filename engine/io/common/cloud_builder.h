#pragma once
// Declares CloudBuilder, which all readers share to build a PointCloud from a file's columns.
#include "engine/cloud/attribute.h"
#include "engine/cloud/positions.h"
#include "engine/io/common/attributes_on_demand.h"
#include "engine/io/common/column_copy.h"
#include "engine/io/common/input_file.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

class PointCloud;

/// One column as the file declares it.
struct Field {
    std::string name; ///< as in the file
    ScalarType type = ScalarType::float32;
    bool dropped = false;         ///< padding: read, but not kept
    bool packed = false;          ///< 32-bit colour, 0xAARRGGBB, split into red, green and blue
    bool hasAlpha = false;        ///< the packed colour has an alpha byte, which becomes an attribute, too
    std::string description = {}; ///< as in the file; empty where it has none
    std::optional<ValueRange> declared = {}; ///< see Attribute
};

/// Owns the memory for the rows of a cloud, which readers fill column by column or value by value.
class CloudBuilder {
public:
    /// Allocates `rows` rows, each with `opaqueBytes` bytes that are kept as they are, outside of the
    /// attributes. If the fields are `onDemand`, only coordinates and isReadWithPositions() columns have
    /// memory: the source given to finish() reads the others later.
    /// @throws EngineError when a field of x, y, z is missing, or memory does not suffice; KernelError
    CloudBuilder(const InputFile& file, std::span<const Field> fields, std::size_t rows,
                 std::size_t opaqueBytes = 0, bool onDemand = false);

    std::size_t rows() const { return m_rows; }
    /// [F] the destinations of the fields' values.
    const std::vector<ColumnTarget>& targets() const { return m_targets; }
    /// The attributes of the fields, for reading them later.
    const AttributeColumns& columns() const { return m_columns; }

    /// The names of the attributes, in their order in the cloud.
    std::vector<std::string> attributeNames() const;

    /// Moves `count` rows from row `from` down to row `to`.
    void moveRows(std::size_t to, std::size_t from, std::size_t count);
    /// Drops the rows from `rows` on.
    void shrink(std::size_t rows);

    /// Adds an uninitialized attribute for all rows, and makes its name unique.
    std::byte* addAttribute(std::string name, ScalarType type);
    Positions& positions() { return m_positions; }
    /// [rows, opaqueBytes]; null when a row has none.
    std::byte* opaque() const { return m_opaqueData; }
    Buffer<std::byte> releaseOpaque() { return std::move(m_opaque); }

    /// Builds the cloud. `decimals` is the number of digits after the decimal point in a text file, -1 for
    /// other formats.
    std::shared_ptr<PointCloud> finish(int decimals, const std::stop_token& stop,
                                       std::shared_ptr<const AttributeSource> source = nullptr);

private:
    std::byte* addColumn(std::string name, ScalarType type, bool onDemand);
    AttributeColumns addAttributes(std::span<const Field> fields, const std::vector<std::string>& names,
                                   bool onDemand);
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
    AttributeColumns m_columns{{}};
};

/// Words the warning for a truncated file.
std::string truncationWarning(std::uint64_t whole, std::uint64_t claimed);

/// Raises the error for a file without a column for x, y or z.
/// @param columns names of the columns that it has
[[noreturn]] void throwNoCoordinate(const InputFile& file, const std::string& axis,
                                    const std::vector<std::string>& columns, const std::string& nextStep);

/// Raises the error for a file with longitude and latitude instead of lengths.
[[noreturn]] void throwGeographic(const InputFile& file);

/// Raises the error for a file without a single complete point, though its header claims some.
[[noreturn]] void throwNothingWhole(const InputFile& file, std::uint64_t claimed);

} // namespace scanloupe
