#pragma once
// Declares which attributes stay in their file until they are accessed, and their offsets in its records.
#include "engine/io/common/column_copy.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace scanloupe {

enum class AttributeReading : std::uint8_t;
struct Field;

/// Returns whether a name is the canonical name of a normal, a sensor position or a colour. These attributes
/// are needed for the first picture, and are therefore read together with the positions.
bool isReadWithPositions(std::string_view canonicalName);

/// Total size of the attributes of `rows` rows that may be read on demand, in bytes.
std::uint64_t attributeBytesOnDemand(std::span<const Field> fields, std::uint64_t rows);

/// Whether attributes of `bytes` bytes in total are read on demand.
bool readsOnDemand(AttributeReading wanted, std::uint64_t bytes);

/// Maps each field of a file's records to the attributes of the cloud.
class AttributeColumns {
public:
    static constexpr std::size_t kNone = ~std::size_t{0};
    /// The attributes of a field: a single one, or the components of a packed colour.
    struct Column {
        ScalarType type = ScalarType::float32;
        bool packed = false;
        std::array<std::size_t, 4> attributes{kNone, kNone, kNone, kNone}; ///< indices in the cloud
    };

    /// @param columns [F] one for each field
    explicit AttributeColumns(std::vector<Column> columns) : m_columns(std::move(columns)) {}

    /// Returns [F] the destinations of the fields' values, for some attributes of `rows` rows. Fields of
    /// other attributes have no destination.
    /// @param memory receives for each of the attributes [rows] values of its type
    /// @throws EngineError if these values do not fit into the available memory
    std::vector<ColumnTarget> targets(std::span<const std::size_t> attributes,
                                      std::span<std::byte* const> memory, std::size_t rows) const;

private:
    std::vector<Column> m_columns;
};

} // namespace scanloupe
