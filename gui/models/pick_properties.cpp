// Lists the properties of a picked point, voxel or triangle.
#include "gui/models/pick_properties.h"

#include "engine/cloud/point_cloud.h"
#include "engine/picture/colouring.h"
#include "engine/picture/pick.h"
#include "engine/results/snapshot.h"
#include "gui/base/class_label.h"
#include "gui/base/raw_text.h"
#include "gui/text/number_text.h"
#include "gui/tools/picked_point.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace scanloupe::gui {

namespace {

QString tr(const char* text) {
    return PropertyModel::tr(text);
}

constexpr std::array kAxes{"x", "y", "z"};

/// Four decimals: a tenth of a millimetre is below the accuracy of a mean or of a position on a triangle.
void addPosition(Properties& all, Vec3d p) {
    for (int axis = 0; axis < 3; ++axis)
        all.push_back({QString::fromLatin1(kAxes[std::size_t(axis)]), QString::number(p[axis], 'f', 4)});
}

/// The text of a category's only class.
QString classOf(const Category& category) {
    return classLabel(classText(category, 0));
}

/// @param label of the point's number
Properties pointProperties(const QString& label, std::size_t index, const Snapshot& s,
                           const std::stop_token& stop) {
    s.cloud->loadAll(stop);
    Properties all;
    if (s.cloud->subsampledFrom == 0) // the number in the file of a subsampled point is unknown
        all.push_back({label, countText(index)});
    for (int axis = 0; axis < 3; ++axis)
        all.push_back({QString::fromLatin1(kAxes[std::size_t(axis)]), coordinateText(*s.cloud, index, axis)});
    for (const Attribute& attribute : s.cloud->attributes()) {
        all.push_back({shownText(attribute.name), isCategorical(attribute)
                                                      ? classOf(modalClass(attribute, {&index, 1}))
                                                      : attributeText(attribute, attribute.value(index))});
    }
    return all;
}

void addValues(Properties& all, std::size_t v, const PickedVoxel& voxel, const Snapshot& s,
               const std::stop_token& stop) {
    if (!s.shownAttributes) // a volume
        return;
    all.push_back({tr("Points in voxel"), countText(voxel.points)});
    for (const PickedAttribute& picked : pickAttributes(s, v, stop)) {
        const QString name = shownText(picked.attribute->name);
        if (isCategorical(*picked.attribute))
            all.push_back({name, classOf(picked.classes)});
        else
            all.push_back({tr("Mean %1").arg(name), numberText(picked.mean)});
    }
}

QString cellText(Vec3i cell) {
    return QStringLiteral("%1, %2, %3").arg(cell.x).arg(cell.y).arg(cell.z);
}

Properties voxelProperties(std::size_t v, const Snapshot& s, const std::stop_token& stop) {
    const PickedVoxel voxel = pickVoxel(s.shownVoxels, v);
    Properties all{{tr("Voxel"), cellText(voxel.cell)}};
    addPosition(all, voxel.mean.as<double>() + s.origin());
    addValues(all, v, voxel, s, stop);
    return all;
}

Properties triangleProperties(const Hit& hit, const Snapshot& s, const std::stop_token& stop) {
    Properties all{{tr("Triangle"), countText(hit.index)}};
    addPosition(all, hit.position);
    if (!s.shownVoxels || !s.shownAttributes)
        return all;
    const Vec3i cell = cellAt(s, hit.position);
    if (const auto found = voxelInCell(s.shownVoxels, cell)) {
        all.push_back({tr("In voxel"), cellText(cell)});
        addValues(all, *found, pickVoxel(s.shownVoxels, *found), s, stop);
    }
    return all;
}

} // namespace

Properties pickProperties(const Hit& hit, const Snapshot& s, std::optional<std::size_t> point,
                          const std::stop_token& stop) {
    Properties all;
    switch (hit.kind) {
    case PrimitiveKind::point:
        return point ? pointProperties(tr("Point"), *point, s, stop) : Properties{};
    case PrimitiveKind::voxel:
        if (s.shownVoxels && hit.index < s.shownVoxels->size())
            all = voxelProperties(hit.index, s, stop);
        break;
    case PrimitiveKind::triangle:
        if (s.mesh && hit.index < s.mesh->triangleCount())
            all = triangleProperties(hit, s, stop);
        break;
    case PrimitiveKind::none:
        break;
    }
    if (point && !all.empty())
        std::ranges::move(pointProperties(tr("Nearest point"), *point, s, stop), std::back_inserter(all));
    return all;
}

} // namespace scanloupe::gui
