// Returns sizes and names of number types, and single values of attributes.
#include "engine/cloud/point_cloud.h"
#include "engine/cloud/scalar_visit.h"

#include <cstring>

namespace scanloupe {

std::size_t sizeOf(ScalarType type) {
    return visitScalar(type, []<class T>(std::type_identity<T>) { return sizeof(T); });
}

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
    return visitScalar(type, [&]<class T>(std::type_identity<T>) {
        T value;
        std::memcpy(&value, data.data() + i * sizeof(T), sizeof(T));
        return static_cast<double>(value);
    });
}

} // namespace scanloupe
