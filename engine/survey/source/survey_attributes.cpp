// Computes sizes, offsets and classes of a survey's attributes.
#include "engine/survey/source/survey_attributes.h"

#include "engine/cloud/attribute.h"
#include "engine/cloud/categories.h"
#include "engine/cloud/error.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace scanloupe {

std::string plainName(const std::string& name) {
    std::string plain;
    for (const char c : name)
        if (std::isalnum(static_cast<unsigned char>(c)))
            plain.push_back(char(std::tolower(static_cast<unsigned char>(c))));
    return plain;
}

double SurveyAttribute::offset() const {
    constexpr double finest = 1.0 / (1 << 17), precision = 1.0 / (1 << 24);
    const double largest = std::max(std::abs(range.min), std::abs(range.max));
    return largest * precision > (range.max - range.min) * finest ? range.min : 0;
}

std::shared_ptr<const Category> classesOf(const SurveyAttribute& attribute) {
    // Limits of classes in a mesh, whose values are in single precision: maximum number of classes, and
    // maximum magnitude.
    constexpr double most = 1 << 16, largest = 1 << 24;
    if (attribute.range.max - attribute.range.min >= most || attribute.range.min < -largest ||
        attribute.range.max > largest)
        throw EngineError(fmt::format("Attribute '{}' has classes from {} to {}. Tiles support at most 65536 "
                                      "classes, from -16777216 to 16777216.",
                                      attribute.name, attribute.range.min, attribute.range.max),
                          "Remove this attribute from --tile-attributes.");
    Category category{attribute.name, attribute.type, {}, nullptr};
    category.values.resize(std::size_t(attribute.range.max - attribute.range.min) + 1);
    std::iota(category.values.begin(), category.values.end(), std::int64_t(attribute.range.min));
    return std::make_shared<const Category>(std::move(category));
}

std::size_t SurveyAttributes::bytesPerPoint() const {
    std::size_t bytes = 0;
    for (const SurveyAttribute& attribute : list)
        bytes += sizeOf(attribute.type);
    return bytes;
}

} // namespace scanloupe
