// Stores the values of an attribute, and names number types.
#include "engine/cloud/attribute.h"

#include "engine/cloud/cloud_limits.h"
#include "engine/cloud/error.h"

#include <cstring>

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

Attribute::Attribute(std::string named, ScalarType typed, Buffer<std::byte> data)
    : name(std::move(named)), type(typed) {
    m_state->values.data = std::move(data);
}

Attribute Attribute::inFile(std::string name, ScalarType type) {
    Attribute attribute(std::move(name), type, {});
    attribute.m_isInFile = true;
    return attribute;
}

const AttributeValues& Attribute::values() const {
    if (!isLoaded())
        throw Fault("values of the attribute '" + name + "' were requested before they were loaded");
    return m_state->values;
}

double Attribute::value(std::size_t i) const {
    return scalarAt(data(), type, i);
}

void Attribute::allocate(std::size_t rows) {
    m_state->values.data = Buffer<std::byte>::host(rows * sizeOf(type));
    m_isInFile = false;
}

void Attribute::moveRows(std::size_t to, std::size_t from, std::size_t count) {
    const std::size_t size = sizeOf(type);
    if (std::byte* data = dataToFill())
        std::memmove(data + to * size, data + from * size, count * size);
}

void Attribute::shrink(std::size_t rows) {
    m_state->values.data.shrink(rows * sizeOf(type));
}

void Attribute::load(Buffer<std::byte> data, std::size_t size, const std::stop_token& stop) const {
    if (data.size() != size * sizeOf(type))
        throw Fault("the attribute '" + name + "' has " + std::to_string(data.size() / sizeOf(type)) +
                    " values for " + std::to_string(size) + " points");
    m_state->values = detail::withLimits(type, std::move(data), size, stop);
    m_state->isLoaded.store(true, std::memory_order_release);
}

} // namespace scanloupe
