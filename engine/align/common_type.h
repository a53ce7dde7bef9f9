#pragma once
// Declares the common type of an attribute of several scans (type promotion).
#include "kernels/core/scalar_type.h"

#include <span>

namespace scanloupe {

class Attribute;

/// The common type of an attribute of several scans.
struct CommonType {
    ScalarType type = ScalarType::float32;
    bool exact = true;
};

/// Returns the smallest type that represents the values of all attributes. Integers are promoted to an
/// integer type by signedness and size. If that would need more than 64 bits (uint64 with a signed type), the
/// actual values decide between int64, uint64 and double.
CommonType commonType(std::span<const Attribute* const> attributes);

} // namespace scanloupe
