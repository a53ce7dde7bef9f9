#pragma once
// Names the number types of PLY (Turk, "The PLY Polygon File Format", 1994).
#include "kernels/core/scalar_type.h"

namespace scanloupe::detail {

/// The PLY name of a type. PLY has no 64-bit integers; they are written as doubles.
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
