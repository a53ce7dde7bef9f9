// Reads numbers of binary PLY files, and skips unused elements.
#include "engine/io/ply/ply_elements.h"

#include "engine/cloud/error.h"
#include "kernels/core/error.h"
#include "kernels/core/scalar_type.h"

#include <algorithm>
#include <cstring>

namespace scanloupe {

std::optional<double> readPlyNumber(BlockReader& reader, ScalarType type, bool swapped) {
    const std::size_t size = sizeOf(type);
    const std::byte* bytes = reader.read(size);
    if (!bytes)
        return std::nullopt;
    std::byte raw[8];
    std::copy(bytes, bytes + size, raw);
    if (swapped)
        std::reverse(raw, raw + size);
    return visitScalar(type, [&]<class T>(std::type_identity<T>) {
        T value;
        std::memcpy(&value, raw, sizeof(T));
        return static_cast<double>(value);
    });
}

bool skipPlyProperty(BlockReader& reader, const PlyProperty& property, bool swapped) {
    if (!property.list)
        return reader.skip(sizeOf(property.type));
    const std::optional<double> length = readPlyNumber(reader, property.countType, swapped);
    if (!length || *length < 0 || *length > 4294967295.0)
        return false;
    return reader.skip(static_cast<std::uint64_t>(*length) * sizeOf(property.type));
}

bool skipPlyElement(BlockReader& reader, const PlyElement& element, bool swapped,
                    const std::stop_token& stop) {
    constexpr std::uint64_t stopEvery = std::uint64_t{1} << 14; // elements between two polls of the token
    if (element.properties.empty())
        return true;
    if (!element.hasLists()) {
        const std::uint64_t size = element.minBytes();
        return element.count <= UINT64_MAX / size && reader.skip(element.count * size);
    }
    for (std::uint64_t i = 0; i < element.count; ++i) {
        if (i % stopEvery == 0 && stop.stop_requested())
            throw Cancelled();
        for (const PlyProperty& property : element.properties)
            if (!skipPlyProperty(reader, property, swapped))
                return false;
    }
    return true;
}

} // namespace scanloupe
