#pragma once
// Declares the values that points of a survey carry into its tiles, and their averages at vertices.
#include "engine/cloud/value_range.h"
#include "kernels/core/scalar_type.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace scanloupe {

struct Category;

/// A value that every point of a survey has.
struct SurveyAttribute {
    std::string name; ///< as Attribute::name
    ScalarType type = ScalarType::float32;
    ValueRange range; ///< range of all values of the survey: averages are accumulated as fractions of it
    bool isClasses = false; ///< voxels get the most frequent value, since a mean of classes is meaningless

    /// Offset of values at vertices: 0, unless single precision would lose digits of the range.
    double offset() const;
    bool operator==(const SurveyAttribute&) const = default;
};

/// The classes of an attribute that has them: all integers of its range.
/// @throws EngineError for more than 65,536, or numbers beyond 2^24
std::shared_ptr<const Category> classesOf(const SurveyAttribute& attribute);

/// A name reduced to what mesh formats preserve: without capitals, spaces and signs.
std::string plainName(const std::string& name);

/// Values that points of a survey have in addition to their position.
struct SurveyAttributes {
    std::vector<SurveyAttribute> list;
    /// The stored values of black and of full brightness, if `list` begins with red, green and blue: they
    /// become the colours of vertices.
    std::optional<ValueRange> colours;

    /// Index of the first attribute that is no colour.
    std::size_t firstChannel() const { return colours ? 3 : 0; }
    std::size_t bytesPerPoint() const;
    bool operator==(const SurveyAttributes&) const = default;
};

/// Values of a surface's vertices: those of the voxel that contains them, or of the nearest one.
struct VertexValues {
    std::vector<std::uint32_t> colours;       ///< [M] RGBA; empty without colours
    std::vector<std::vector<float>> channels; ///< [C][M] means of the attributes from firstChannel() on
    bool operator==(const VertexValues&) const = default;
};

} // namespace scanloupe
