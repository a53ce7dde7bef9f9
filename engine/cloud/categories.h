#pragma once
// Encodes categorical attributes (integers that identify classes, whose mean is meaningless): a dictionary of
// values, and an index into it for each point.
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

/// Whether the values name classes (classification, ring, return number, scan, instance, ...): decided by the
/// attribute's name, for integer types only.
bool isCategorical(const Attribute& attribute);

/// The classes of a categorical attribute. Each point has a code, an index into `values`.
struct Category {
    std::string name;
    ScalarType type = ScalarType::uint8;
    std::vector<std::int64_t> values; ///< [K] ascending in the order of `type`; uint64 values as their bits
    /// See Attribute::classNames.
    std::shared_ptr<const std::vector<std::string>> names = nullptr;

    /// The value in decimal, "2"; exact for all types.
    std::string valueText(std::uint32_t code) const;
    /// The name in `names`, or "Ground" for class 2 of a classification (ASPRS, LAS 1.4 R15, table 17); empty
    /// if it has no name.
    std::string_view className(std::uint32_t code) const;
    /// The value as a double, which is inexact past 2^53.
    double value(std::uint32_t code) const;
    /// RGBA: the colour of the ASPRS class of a classification, else one of a palette of 20 distinguishable
    /// ones. A class has the same colour in all scans.
    std::uint32_t colour(std::uint32_t code) const;
};

/// A categorical attribute of every `stride`-th point.
struct CategoryColumn {
    std::shared_ptr<const Category> category;
    Buffer<std::uint32_t> codes; ///< [N] each less than K
};

/// The most frequent class of `points`, at least one: among equally frequent ones the smallest. A category of
/// this class alone.
Category modalClass(const Attribute& attribute, std::span<const std::size_t> points);
/// The smallest and the largest class, without reading the points.
Category outermostClasses(const Attribute& attribute);

/// Dictionary-encodes `count` values, those of every `stride`-th point. @throws Cancelled
CategoryColumn encodeCategory(const Attribute& attribute, std::size_t count, std::size_t stride,
                              const std::stop_token& stop);

} // namespace scanloupe
