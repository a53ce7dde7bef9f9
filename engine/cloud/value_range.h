#pragma once
// Declares a range of an attribute's values.
namespace scanloupe {

/// A closed range of values.
struct ValueRange {
    double min = 0, max = 0;
    bool operator==(const ValueRange&) const = default;
};

} // namespace scanloupe
