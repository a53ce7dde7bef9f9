#pragma once
// Declares the values that points of a survey carry into its tiles, and their averages at vertices.
#include "engine/cloud/attribute.h"
#include "engine/cloud/categories.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace scanloupe {

/// A value that every point of a survey has.
struct SurveyAttribute {
    std::string name; ///< as Attribute::name
    ScalarType type = ScalarType::float32;
    ValueRange range;       ///< that holds all values of the survey: averages are counted in shares of it
    bool isClasses = false; ///< the most frequent value of a voxel counts, since a mean says nothing

    /// What values at vertices are relative to: 0, unless single precision would lose digits of the range.
    double offset() const;
    bool operator==(const SurveyAttribute&) const = default;
};

/// The classes of an attribute that has them: all integers of its range.
/// @throws EngineError for more than 65,536, or numbers beyond 2^24
std::shared_ptr<const Category> classesOf(const SurveyAttribute& attribute);

/// A name without what formats of meshes change of it: capitals, spaces and signs.
std::string plainName(const std::string& name);

/// What points of a survey carry beside their places.
struct SurveyAttributes {
    std::vector<SurveyAttribute> list;
    /// The stored values of black and of full brightness, if `list` begins with red, green and blue: they
    /// become the colours of vertices.
    std::optional<ValueRange> colours;

    std::size_t firstChannel() const { return colours ? 3 : 0; } ///< of those that are no colours
    std::size_t bytesPerPoint() const;
    bool operator==(const SurveyAttributes&) const = default;
};

/// What the vertices of a surface carry: that of the voxel that they lie in, or of the nearest one.
struct VertexValues {
    std::vector<std::uint32_t> colours;       ///< [M] RGBA; empty without colours
    std::vector<std::vector<float>> channels; ///< [C][M] of the attributes from firstChannel() on: means
                                              ///< relative to their offset(), or numbers of classes, see
                                              ///< classesOf()
    bool operator==(const VertexValues&) const = default;
};

} // namespace scanloupe
