// Finds the class or the colour of a point.
#include "gui/tools/similar_points.h"

#include "engine/cloud/categories.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"

#include <array>
#include <cmath>

namespace scanloupe::gui {

namespace {
constexpr double kColourTolerance = 24; // of 255
} // namespace

SelectionRegion similarTo(const PointCloud& cloud, std::size_t point, const std::stop_token& stop) {
    if (const Attribute* classes = cloud.attribute(kClassAttribute); classes && isCategorical(*classes)) {
        cloud.load(std::array{classes}, stop);
        return ClassRegion{classes->name, {std::int64_t(classes->value(point))}};
    }
    if (!hasRgb(cloud, stop))
        throw EngineError("The scan has neither classes nor colours to compare.",
                          "Select by an attribute, or select the connected part.");
    const ValueRange range = *cloud.colourRange();
    ColourRegion region{{}, kColourTolerance};
    constexpr std::array names{"red", "green", "blue"};
    for (std::size_t k = 0; k < names.size(); ++k)
        region.rgb[k] =
            std::round((cloud.attribute(names[k])->value(point) - range.min) * 255 / (range.max - range.min));
    return region;
}

} // namespace scanloupe::gui
