#pragma once
// Declares CloudBuilder, with which all readers build a PointCloud from a file's columns.
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

/// A column as declared by the file.
struct Field {
    std::string name; ///< as in the file
    ScalarType type = ScalarType::float32;
    bool dropped = false;         ///< padding: read, but not stored
    bool packed = false;          ///< 32-bit colour, 0xAARRGGBB, split into red, green and blue
    bool hasAlpha = false;        ///< whether the packed colour has an alpha byte, which becomes another
                                  ///< attribute
    std::string description = {}; ///< description in the file; empty if there is none
    std::optional<ValueRange> declared = {}; ///< see Attribute::declared
};

/// Owns the memory for the rows of a cloud, which readers fill column by column or value by value.
class CloudBuilder {
public:
    /// Allocates memory for `rows` rows. `opaqueBytes` bytes per row are stored unchanged outside the
    /// attributes. With `onDemand`, only coordinates and columns with isReadWithPositions() get memory; the
    /// source passed to finish() reads the others later.
    /// @throws EngineError if a field x, y or z is missing, or when out of memory; KernelError
    CloudBuilder(const InputFile& file, std::span<const Field> fields, std::size_t rows,
                 std::size_t opaqueBytes = 0, bool onDemand = false);

    std::size_t rows() const { return m_rows; }
    /// Returns [F] the destinations of the fields' values.
    const std::vector<ColumnTarget>& targets() const { return m_targets; }
    /// Returns the attributes of each field, for reading them later.
    const AttributeColumns& columns() const { return m_columns; }

    /// The names of the attributes, in their order in the cloud.
    std::vector<std::string> attributeNames() const;

    /// Moves `count` rows from row `from` down to row `to`.
    void moveRows(std::size_t to, std::size_t from, std::size_t count);
    /// Removes the rows with index `rows` and above.
    void shrink(std::size_t rows);

    /// Adds an uninitialized attribute with a value per row; changes its name if that is in use.
    std::byte* addAttribute(std::string name, ScalarType type);
    Positions& positions() { return m_positions; }
    /// [rows, opaqueBytes]; null if opaqueBytes is 0.
    std::byte* opaque() const { return m_opaqueData; }
    Buffer<std::byte> releaseOpaque() { return std::move(m_opaque); }

    /// Builds the cloud. @param decimals number of digits after the decimal point in a text file; -1 for
    /// other formats
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
    std::set<std::string> m_names; ///< names of the attributes
    std::vector<ColumnTarget> m_targets;
    AttributeColumns m_columns{{}};
};

/// Formats the warning for a truncated file. @param whole number of complete points
std::string truncationWarning(std::uint64_t whole, std::uint64_t claimed);

/// Throws the error for a file without a column for x, y or z.
/// @param columns names of the file's columns
[[noreturn]] void throwNoCoordinate(const InputFile& file, const std::string& axis,
                                    const std::vector<std::string>& columns, const std::string& nextStep);

/// Throws the error for a file with longitude and latitude instead of lengths.
[[noreturn]] void throwGeographic(const InputFile& file);

/// Throws the error for a file that contains no complete point, although its header specifies points.
[[noreturn]] void throwNothingWhole(const InputFile& file, std::uint64_t claimed);

} // namespace scanloupe
