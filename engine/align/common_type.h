#pragma once
// Types that hold the values of two.
#include "engine/cloud/point_cloud.h"

#include <span>

namespace scanloupe {

/// The type of an attribute that several scans have, and whether it holds the values of all exactly.
struct CommonType {
    ScalarType type = ScalarType::float32;
    bool exact = true;
};

/// The smallest type that holds the values of all: an integer for integers, by their signs and sizes; of 64
/// bits, where none is large enough for both signs, by the values that there are.
CommonType commonType(std::span<const Attribute* const> attributes);

} // namespace scanloupe
