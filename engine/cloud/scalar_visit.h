#pragma once
// Dispatches from a run-time number type to a C++ type.
#include "engine/cloud/point_cloud.h"

#include <type_traits>
#include <utility>

namespace scanloupe {

/// Calls `visitor(std::type_identity<T>{})` with the C++ type of `type`.
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
