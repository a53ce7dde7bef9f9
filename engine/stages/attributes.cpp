// Determines the attributes that a recipe uses.
#include "engine/stages/attributes.h"

#include "engine/cloud/categories.h"
#include "engine/cloud/point_cloud.h"
#include "engine/recipe/colour_mode.h"
#include "engine/recipe/recipe.h"

#include <algorithm>

namespace scanloupe {

namespace {

std::optional<VectorAttributes> vectorOf(const PointCloud& cloud, const char* x, const char* y,
                                         const char* z) {
    const VectorAttributes all{cloud.attribute(x), cloud.attribute(y), cloud.attribute(z)};
    if (std::ranges::find(all, nullptr) != all.end())
        return std::nullopt;
    return all;
}

} // namespace

std::optional<VectorAttributes> normalsOf(const PointCloud& cloud) {
    return vectorOf(cloud, "normal_x", "normal_y", "normal_z");
}

std::optional<VectorAttributes> sensorsOf(const PointCloud& cloud) {
    return vectorOf(cloud, "sensor_x", "sensor_y", "sensor_z");
}

std::vector<const Attribute*> attributesLookedAt(const Recipe& resolved, const PointCloud& cloud) {
    std::vector<const Attribute*> all;
    const auto add = [&](const std::optional<VectorAttributes>& vector) {
        if (vector)
            all.insert(all.end(), vector->begin(), vector->end());
    };
    if (resolved.field == FieldKind::signedDistance) {
        add(normalsOf(cloud));
        add(sensorsOf(cloud));
    }
    const ColourMode& mode = colourModeOf(resolved.colourBy);
    if (mode.data == ColourData::rgb)
        add(vectorOf(cloud, "red", "green", "blue"));
    if (mode.data == ColourData::attribute)
        if (const Attribute* attribute = cloud.attribute(colourAttribute(resolved.colourBy)))
            all.push_back(attribute);
    return all;
}

AttributeCounts countsLookedAt(const Recipe& resolved, const PointCloud& cloud) {
    AttributeCounts counts;
    for (const Attribute* attribute : attributesLookedAt(resolved, cloud))
        ++(isCategorical(*attribute) ? counts.categories : counts.numbers);
    return counts;
}

} // namespace scanloupe
