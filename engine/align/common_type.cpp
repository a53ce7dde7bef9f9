// Finds the smallest type that represents the values of several attributes (type promotion).
#include "engine/align/common_type.h"

#include "engine/cloud/attribute.h"

#include <algorithm>
#include <cmath>

namespace scanloupe {

namespace {

constexpr double kExactInDouble = 9007199254740992.0; // 2^53

bool isFloating(ScalarType type) {
    return type == ScalarType::float32 || type == ScalarType::float64;
}
bool isSigned(ScalarType type) {
    return type == ScalarType::int8 || type == ScalarType::int16 || type == ScalarType::int32 ||
           type == ScalarType::int64;
}

ScalarType integerType(std::size_t bytes, bool needsSign) {
    switch (bytes) {
    case 1:
        return needsSign ? ScalarType::int8 : ScalarType::uint8;
    case 2:
        return needsSign ? ScalarType::int16 : ScalarType::uint16;
    case 4:
        return needsSign ? ScalarType::int32 : ScalarType::uint32;
    default:
        return needsSign ? ScalarType::int64 : ScalarType::uint64;
    }
}

/// Whether a double represents all values of the attribute exactly. The limits are compared as doubles.
/// Limits beyond 2^53 are rounded, so 2^53 itself is rejected as well.
bool fitsDouble(const Attribute& attribute) {
    const bool wide = attribute.type == ScalarType::int64 || attribute.type == ScalarType::uint64;
    return !wide || (attribute.min() > -kExactInDouble && attribute.max() < kExactInDouble);
}

/// Returns the common type of unsigned and signed 64-bit integers, chosen by the values that occur.
CommonType commonTypeOfMixedInt64(std::span<const Attribute* const> attributes) {
    const auto all = [&](auto&& test) {
        return std::all_of(attributes.begin(), attributes.end(),
                           [&](const Attribute* a) { return test(*a); });
    };
    constexpr double beyondSigned = 9223372036854775808.0; // 2^63
    if (all([](const Attribute& a) { return isSigned(a.type) || a.max() < beyondSigned; }))
        return {ScalarType::int64, true};
    if (all([](const Attribute& a) { return a.min() >= 0; }))
        return {ScalarType::uint64, true};
    return {ScalarType::float64, all(fitsDouble)};
}

} // namespace

CommonType commonType(std::span<const Attribute* const> attributes) {
    const auto any = [&](auto&& test) {
        return std::any_of(attributes.begin(), attributes.end(),
                           [&](const Attribute* a) { return test(*a); });
    };
    const ScalarType first = attributes.front()->type;
    if (!any([&](const Attribute& a) { return a.type != first; }))
        return {first, true};
    if (any([](const Attribute& a) { return isFloating(a.type); })) {
        const bool fitsFloat = !any([](const Attribute& a) { // a float represents 16-bit integers exactly
            return a.type != ScalarType::float32 && sizeOf(a.type) > 2;
        });
        return {fitsFloat ? ScalarType::float32 : ScalarType::float64,
                !any([](const Attribute& a) { return !fitsDouble(a); })};
    }
    const bool needsSign = any([](const Attribute& a) { return isSigned(a.type); });
    std::size_t bytes = 0; // an unsigned type is promoted to the next larger signed type
    for (const Attribute* attribute : attributes)
        bytes = std::max(bytes, sizeOf(attribute->type) * (needsSign && !isSigned(attribute->type) ? 2 : 1));
    return bytes <= 8 ? CommonType{integerType(bytes, needsSign), true} : commonTypeOfMixedInt64(attributes);
}

} // namespace scanloupe
