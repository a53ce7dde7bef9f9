#pragma once
// Declares the common type of an attribute of several scans (type promotion).
#include "engine/cloud/point_cloud.h"

#include <span>

namespace scanloupe {

/// The type of an attribute that several scans have, and whether it holds the values of all exactly.
struct CommonType {
    ScalarType type = ScalarType::float32;
    bool exact = true;
};

/// The smallest type that holds the values of all attributes. Integers are promoted to an integer type by
/// their signedness and size. Where that would need more than 64 bits (uint64 with a signed type), the values
/// that occur decide between int64, uint64 and double.
CommonType commonType(std::span<const Attribute* const> attributes);

} // namespace scanloupe
