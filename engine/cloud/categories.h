#pragma once
// Categorical attributes: whole numbers that name classes, of which a mean says nothing.
#include "engine/cloud/point_cloud.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

/// Whether the values name classes (classification, ring, return number, scan, instance, ...): by the name,
/// and only where they are stored as integers.
bool isCategorical(const Attribute& attribute);

/// The classes of a categorical attribute. Points hold indices into `values`, their codes.
struct Category {
    std::string name;
    ScalarType type = ScalarType::uint8;
    std::vector<std::int64_t> values; ///< [K] ascending, as the file's type orders them; uint64 by its bits

    /// "2"; exact for all types.
    std::string valueText(std::uint32_t code) const;
    /// "Ground" for class 2 of a classification (ASPRS, LAS 1.4 R15, table 17); empty for what has no name.
    std::string_view className(std::uint32_t code) const;
    /// The value as a double, which is inexact past 2^53.
    double value(std::uint32_t code) const;
    /// RGBA: the customary colours of a classification, else one of 20 that differ well. A class has the same
    /// colour in all scans.
    std::uint32_t colour(std::uint32_t code) const;
};

/// A categorical attribute of every `stride`-th point.
struct CategoryColumn {
    std::shared_ptr<const Category> category;
    Buffer<std::uint32_t> codes; ///< [N] each less than K
};

/// @throws Cancelled
CategoryColumn encodeCategory(const Attribute& attribute, std::size_t count, std::size_t stride,
                              const std::stop_token& stop);

} // namespace scanloupe
