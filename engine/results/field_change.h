#pragma once
// Declares which part of a field differs from an earlier field.
#include "kernels/field/core/scalar_field.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace scanloupe {

/// The difference between two consecutive fields.
struct FieldChange {
    std::weak_ptr<const void> since; ///< identity of the earlier field; none: everything may have changed
    /// Ascending keys of the bricks whose values or cells may differ, or that only one of the two fields has.
    std::vector<std::uint64_t> bricks;
};

/// Whether two weak pointers identify the same result, even if it has been released since; false if one of
/// them is empty.
inline bool areSame(const std::weak_ptr<const void>& a, const std::weak_ptr<const void>& b) {
    const std::weak_ptr<const void> none;
    const auto differ = [](const auto& x, const auto& y) { return x.owner_before(y) || y.owner_before(x); };
    return differ(a, none) && !differ(a, b);
}

} // namespace scanloupe
