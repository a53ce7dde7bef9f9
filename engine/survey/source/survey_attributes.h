#pragma once
// Declares the attributes of a survey's points that are used in tiles, and their averages at vertices.
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

/// An attribute that every point of a survey has.
struct SurveyAttribute {
    std::string name; ///< as Attribute::name
    ScalarType type = ScalarType::float32;
    ValueRange range; ///< range of all values of the survey; means are accumulated as fractions of this range
    bool isClasses = false; ///< whether values are class numbers: voxels then have the most frequent value
                            ///< instead of the mean

    /// Offset that is subtracted from values at vertices. 0 unless single precision would lose digits of the
    /// range.
    double offset() const;
    bool operator==(const SurveyAttribute&) const = default;
};

/// Returns the classes of an attribute with `isClasses`: all integers of its range.
/// @throws EngineError for more than 65,536 classes, or numbers beyond 2^24
std::shared_ptr<const Category> classesOf(const SurveyAttribute& attribute);

/// Reduces a name to the characters that all mesh formats preserve: lower-case letters and digits.
std::string plainName(const std::string& name);

/// Attributes of a survey's points, in addition to the position.
struct SurveyAttributes {
    std::vector<SurveyAttribute> list;
    /// Attribute values of black and of full brightness. Set if `list` begins with red, green and blue, which
    /// become the colours of vertices.
    std::optional<ValueRange> colours;

    /// Index of the first attribute that is not a colour.
    std::size_t firstChannel() const { return colours ? 3 : 0; }
    std::size_t bytesPerPoint() const;
    bool operator==(const SurveyAttributes&) const = default;
};

/// Values of a surface's vertices, taken from the voxel that contains the vertex or the nearest one.
struct VertexValues {
    std::vector<std::uint32_t> colours;       ///< [M] RGBA; empty without colours
    std::vector<std::vector<float>> channels; ///< [C][M] means of the attributes from firstChannel() on
    bool operator==(const VertexValues&) const = default;
};

} // namespace scanloupe
