#pragma once
// Encodes categorical attributes (integers that name classes, of which a mean says nothing): a dictionary of
// values, and an index into it for each point.
#include "engine/cloud/point_cloud.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

/// Whether the values name classes (classification, ring, return number, scan, instance, ...): decided by the
/// attribute's name, for integer types only.
bool isCategorical(const Attribute& attribute);

/// The classes of a categorical attribute. Points hold indices into `values`, their codes.
struct Category {
    std::string name;
    ScalarType type = ScalarType::uint8;
    std::vector<std::int64_t> values; ///< [K] ascending in the order of `type`; uint64 values as their bits
    /// See Attribute::classNames.
    std::shared_ptr<const std::vector<std::string>> names = nullptr;

    /// The value in decimal, "2"; exact for all types.
    std::string valueText(std::uint32_t code) const;
    /// That of `names`, or "Ground" for class 2 of a classification (ASPRS, LAS 1.4 R15, table 17); empty if
    /// it has no name.
    std::string_view className(std::uint32_t code) const;
    /// The value as a double, which is inexact past 2^53.
    double value(std::uint32_t code) const;
    /// RGBA: the colour of the ASPRS class of a classification, else one of a palette of 20 that are easy to
    /// tell apart. A class has the same colour in all scans.
    std::uint32_t colour(std::uint32_t code) const;
};

/// A categorical attribute of every `stride`-th point.
struct CategoryColumn {
    std::shared_ptr<const Category> category;
    Buffer<std::uint32_t> codes; ///< [N] each less than K
};

/// The class that most of the `points`, at least one, have: among equally frequent ones the least. A category
/// of this class alone.
Category mostFrequentClass(const Attribute& attribute, std::span<const std::size_t> points);
/// The least and the greatest class, without a look at the points.
Category outermostClasses(const Attribute& attribute);

/// Dictionary-encodes `count` values, those of every `stride`-th point. @throws Cancelled
CategoryColumn encodeCategory(const Attribute& attribute, std::size_t count, std::size_t stride,
                              const std::stop_token& stop);

} // namespace scanloupe
