#pragma once
// Defines the names of PLY's number types (Turk, "The PLY Polygon File Format", 1994).
#include "kernels/core/scalar_type.h"

namespace scanloupe::detail {

/// Returns the PLY name of a type. For 64-bit integers, which PLY does not have, the name is "double".
inline const char* plyType(ScalarType type) {
    switch (type) {
    case ScalarType::int8:
        return "char";
    case ScalarType::uint8:
        return "uchar";
    case ScalarType::int16:
        return "short";
    case ScalarType::uint16:
        return "ushort";
    case ScalarType::int32:
        return "int";
    case ScalarType::uint32:
        return "uint";
    case ScalarType::float32:
        return "float";
    case ScalarType::int64:
    case ScalarType::uint64:
    case ScalarType::float64:
        break;
    }
    return "double";
}

} // namespace scanloupe::detail
