#pragma once
// Declares the number types of columns whose type is known at run time, and reads one number of such a
// column, for both backends.
#include "kernels/core/hd.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace scanloupe {

/// Number types of attributes and coordinates, in files and in columns that kernels read.
enum class ScalarType : std::uint8_t {
    int8,
    uint8,
    int16,
    uint16,
    int32,
    uint32,
    int64,
    uint64,
    float32,
    float64
};

/// Returns the size of one number in bytes.
HD constexpr std::size_t sizeOf(ScalarType type) {
    switch (type) {
    case ScalarType::int8:
    case ScalarType::uint8:
        return 1;
    case ScalarType::int16:
    case ScalarType::uint16:
        return 2;
    case ScalarType::int32:
    case ScalarType::uint32:
    case ScalarType::float32:
        return 4;
    default:
        return 8;
    }
}

/// Returns number `i` of a column as double; exact except for 64-bit integers beyond 2^53.
HD inline double scalarAt(const void* column, ScalarType type, std::size_t i) {
    switch (type) {
    case ScalarType::int8:
        return static_cast<double>(static_cast<const std::int8_t*>(column)[i]);
    case ScalarType::uint8:
        return static_cast<double>(static_cast<const std::uint8_t*>(column)[i]);
    case ScalarType::int16:
        return static_cast<double>(static_cast<const std::int16_t*>(column)[i]);
    case ScalarType::uint16:
        return static_cast<double>(static_cast<const std::uint16_t*>(column)[i]);
    case ScalarType::int32:
        return static_cast<double>(static_cast<const std::int32_t*>(column)[i]);
    case ScalarType::uint32:
        return static_cast<double>(static_cast<const std::uint32_t*>(column)[i]);
    case ScalarType::int64:
        return static_cast<double>(static_cast<const std::int64_t*>(column)[i]);
    case ScalarType::uint64:
        return static_cast<double>(static_cast<const std::uint64_t*>(column)[i]);
    case ScalarType::float32:
        return static_cast<double>(static_cast<const float*>(column)[i]);
    case ScalarType::float64:
        break;
    }
    return static_cast<const double*>(column)[i];
}

/// Calls `visitor(std::type_identity<T>{})`, where T is the C++ type of `type`.
template <class F>
decltype(auto) visitScalar(ScalarType type, F&& visitor) {
    switch (type) {
    case ScalarType::int8:
        return visitor(std::type_identity<std::int8_t>{});
    case ScalarType::uint8:
        return visitor(std::type_identity<std::uint8_t>{});
    case ScalarType::int16:
        return visitor(std::type_identity<std::int16_t>{});
    case ScalarType::uint16:
        return visitor(std::type_identity<std::uint16_t>{});
    case ScalarType::int32:
        return visitor(std::type_identity<std::int32_t>{});
    case ScalarType::uint32:
        return visitor(std::type_identity<std::uint32_t>{});
    case ScalarType::int64:
        return visitor(std::type_identity<std::int64_t>{});
    case ScalarType::uint64:
        return visitor(std::type_identity<std::uint64_t>{});
    case ScalarType::float32:
        return visitor(std::type_identity<float>{});
    case ScalarType::float64:
        break;
    }
    return visitor(std::type_identity<double>{});
}

} // namespace scanloupe
