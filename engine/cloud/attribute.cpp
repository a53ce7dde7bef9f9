// Returns names of number types, and single values of attributes.
#include "engine/cloud/point_cloud.h"

namespace scanloupe {

const char* nameOf(ScalarType type) {
    switch (type) {
    case ScalarType::int8:
        return "int8";
    case ScalarType::uint8:
        return "uint8";
    case ScalarType::int16:
        return "int16";
    case ScalarType::uint16:
        return "uint16";
    case ScalarType::int32:
        return "int32";
    case ScalarType::uint32:
        return "uint32";
    case ScalarType::int64:
        return "int64";
    case ScalarType::uint64:
        return "uint64";
    case ScalarType::float32:
        return "float32";
    case ScalarType::float64:
        break;
    }
    return "float64";
}

double Attribute::value(std::size_t i) const {
    return scalarAt(data.data(), type, i);
}

} // namespace scanloupe
