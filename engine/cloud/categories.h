#pragma once
// Declares the encoding of categorical attributes (integers that identify classes, for which a mean is
// meaningless): a dictionary of values, and a code for each point.
#include "kernels/core/buffer.h"
#include "kernels/core/scalar_type.h"

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

class Attribute;

/// Whether an attribute's values are class numbers (classification, ring, return number, scan, instance,
/// ...). Decided by the attribute's name; only for integer types.
bool isCategorical(const Attribute& attribute);

/// The classes of a categorical attribute. Each point has a code, an index into `values`.
struct Category {
    std::string name;
    ScalarType type = ScalarType::uint8;
    std::vector<std::int64_t> values; ///< [K] in ascending order of `type`; uint64 values are stored bit by
                                      ///< bit
    /// See Attribute::classNames.
    std::shared_ptr<const std::vector<std::string>> names = nullptr;

    /// The value as decimal text, e.g. "2"; exact for all types.
    std::string valueText(std::uint32_t code) const;
    /// Returns the name in `names`, or e.g. "Ground" for class 2 of a classification (ASPRS, LAS 1.4 R15,
    /// table 17); empty if there is no name.
    std::string_view className(std::uint32_t code) const;
    /// The value as a double; inexact beyond 2^53.
    double value(std::uint32_t code) const;
    /// Returns an RGBA colour: that of the ASPRS class for a classification, otherwise one of a palette of 20
    /// distinguishable colours. A class has the same colour in all scans.
    std::uint32_t colour(std::uint32_t code) const;
};

/// The codes of a categorical attribute for every `stride`-th point.
struct CategoryColumn {
    std::shared_ptr<const Category> category;
    Buffer<std::uint32_t> codes; ///< [N] codes < K
};

/// Returns a category with only the most frequent class of `points`; the smallest one if several are equally
/// frequent. @param points at least one
Category modalClass(const Attribute& attribute, std::span<const std::size_t> points);
/// Returns a category with only the smallest and the largest class. Does not read the points.
Category outermostClasses(const Attribute& attribute);

/// Dictionary-encodes the values of every `stride`-th point. @param count number of encoded values @throws
/// Cancelled
CategoryColumn encodeCategory(const Attribute& attribute, std::size_t count, std::size_t stride,
                              const std::stop_token& stop);

} // namespace scanloupe
