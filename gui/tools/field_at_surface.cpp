// Finds the slope of a field at its surface.
#include "gui/tools/field_at_surface.h"

#include "engine/io/volume/read_volume.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"

#include <algorithm>

namespace scanloupe::gui {

FieldAtSurface fieldAtSurface(const Snapshot& shown) {
    const ScalarField& field = *shown.field.operator->();
    const double iso = shown.resolved->iso.value_or(0);
    if (shown.volume && shown.volume->values.empty()) // an empty grid to paint in holds depths
        return {iso, 1};
    if (field.kind == FieldKind::signedDistance)
        return {iso, -1};
    const Vec3f edges = field.lattice.spacing;
    const auto edge = double{std::max({edges.x, edges.y, edges.z})};
    const double low = double{field.minValue}, high = double{field.maxValue};
    double room = std::min(iso - low, high - iso);
    if (!(room > 0))
        room = high - low;
    if (!(room > 0)) // all values are the same
        return {iso, field.insideBelow ? -1.0 : 1.0};
    return {iso, (field.insideBelow ? -0.5 : 0.5) * room / edge};
}

} // namespace scanloupe::gui
