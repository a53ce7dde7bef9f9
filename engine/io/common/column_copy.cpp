// Copies strided columns of numbers, with conversion of type and byte order.
#include "engine/io/common/column_copy.h"

#include "kernels/core/scalar_type.h"

#include <algorithm>
#include <cstring>

namespace scanloupe {

namespace {

template <class T, bool Swapped>
T load(const std::byte* from) {
    std::byte bytes[sizeof(T)];
    std::memcpy(bytes, from, sizeof(T));
    if constexpr (Swapped)
        std::reverse(std::begin(bytes), std::end(bytes));
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
}

template <class From, class To, bool Swapped>
void copyAs(const std::byte* source, std::size_t stride, std::byte* to, std::size_t toStride,
            std::size_t count) {
    for (std::size_t i = 0; i < count; ++i, source += stride, to += toStride) {
        const To value = static_cast<To>(load<From, Swapped>(source));
        std::memcpy(to, &value, sizeof(To));
    }
}

template <class From, bool Swapped>
void copyFrom(const std::byte* source, std::size_t stride, const ColumnTarget& target, std::size_t firstRow,
              std::size_t count) {
    if (target.isPacked()) {
        if constexpr (sizeof(From) == 4) {
            for (std::size_t i = 0; i < count; ++i, source += stride)
                storePackedColour(target, firstRow + i, load<std::uint32_t, Swapped>(source));
        }
        return;
    }
    std::byte* to = target.data + firstRow * target.stride;
    // The target has the type of the column, or is a coordinate: float, double or 32-bit integer.
    visitScalar(target.type, [&]<class To>(std::type_identity<To>) {
        constexpr bool integerWidens =
            std::is_same_v<To, std::int32_t> && std::is_integral_v<From> && sizeof(From) <= 2;
        if constexpr (std::is_same_v<From, To> || std::is_same_v<To, float> || std::is_same_v<To, double> ||
                      integerWidens)
            copyAs<From, To, Swapped>(source, stride, to, target.stride, count);
    });
}

} // namespace

void copyColumn(const std::byte* source, std::size_t stride, ScalarType type, bool swapped,
                const ColumnTarget& target, std::size_t firstRow, std::size_t count) {
    if (!target.data && !target.isPacked())
        return;
    visitScalar(type, [&]<class From>(std::type_identity<From>) {
        if (swapped && sizeof(From) > 1)
            copyFrom<From, true>(source, stride, target, firstRow, count);
        else
            copyFrom<From, false>(source, stride, target, firstRow, count);
    });
}

void clearRows(std::span<const ColumnTarget> columns, std::size_t row, std::size_t count) {
    for (const ColumnTarget& column : columns) {
        for (std::byte* const part : column.packed)
            if (part)
                std::fill_n(part + row, count, std::byte{0});
        for (std::size_t i = row; column.data && i < row + count; ++i)
            std::fill_n(column.data + i * column.stride, sizeOf(column.type), std::byte{0});
    }
}

} // namespace scanloupe
