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

/// True for the canonical names of normals, sensor positions and colours. The first picture needs them: they
/// are read with the positions, since a second pass over the file costs more.
bool isReadWithPositions(std::string_view canonicalName);

/// Total size of the attributes of `rows` rows that may be read on demand, in bytes.
std::uint64_t attributeBytesOnDemand(std::span<const Field> fields, std::uint64_t rows);

/// Whether attributes of `bytes` bytes in total are read on demand.
bool readsOnDemand(AttributeReading wanted, std::uint64_t bytes);

/// The attributes that each field of a file's records becomes.
class AttributeColumns {
public:
    static constexpr std::size_t kNone = ~std::size_t{0};
    /// The attributes of one field: one, or the parts of a packed colour.
    struct Column {
        ScalarType type = ScalarType::float32;
        bool packed = false;
        std::array<std::size_t, 4> attributes{kNone, kNone, kNone, kNone}; ///< indices in the cloud
    };

    /// @param columns [F]
    explicit AttributeColumns(std::vector<Column> columns) : m_columns(std::move(columns)) {}

    /// [F] the destinations of the fields' values for some attributes of `rows` rows. Fields of other
    /// attributes have none.
    /// @param memory [rows] of the attribute's type, for each of the attributes
    /// @throws EngineError when `rows` values of them don't fit into the available memory
    std::vector<ColumnTarget> targets(std::span<const std::size_t> attributes,
                                      std::span<std::byte* const> memory, std::size_t rows) const;

private:
    std::vector<Column> m_columns;
};

} // namespace scanloupe
