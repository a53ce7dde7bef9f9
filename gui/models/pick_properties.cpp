// Lists the properties of a picked point, voxel or triangle.
#include "gui/models/pick_properties.h"

#include "engine/picture/colouring.h"
#include "engine/picture/pick.h"
#include "gui/base/raw_text.h"
#include "gui/models/number_text.h"

#include <array>
#include <cmath>

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

QString classOf(const Category& category, std::uint32_t code) {
    return QString::fromStdString(classText(category, code));
}

Properties pointProperties(std::size_t drawn, const Snapshot& s) {
    // a preview holds every n-th point of the cloud
    const std::size_t count = s.points->positions.size();
    const std::size_t index = drawn * ((s.cloud->size() + count - 1) / count);
    if (index >= s.cloud->size())
        return {};
    Properties all{{tr("Point"), countText(index)}};
    for (int axis = 0; axis < 3; ++axis)
        all.push_back({QString::fromLatin1(kAxes[std::size_t(axis)]), coordinateText(*s.cloud, index, axis)});
    for (const Attribute& attribute : s.cloud->attributes()) {
        const int category = s.points->categoryOf(attribute.name);
        all.push_back({shownText(attribute.name),
                       category < 0 ? attributeText(attribute, attribute.value(index))
                                    : classOf(*s.points->categories[std::size_t(category)],
                                              s.points->codes[std::size_t(category)][drawn])});
    }
    return all;
}

void addValues(Properties& all, const PickedVoxel& voxel, const Snapshot& s) {
    all.push_back({tr("Points in it"), countText(voxel.points)});
    for (std::size_t f = 0; 3 + f < voxel.means.size() && f < s.points->channels.size(); ++f) {
        const VoxelChannel& channel = s.points->channels[f];
        all.push_back({tr("Mean %1").arg(shownText(channel.name)),
                       numberText(double(voxel.means[3 + f]) + channel.offset)});
    }
    for (std::size_t c = 0; c < voxel.modes.size() && c < s.points->categories.size(); ++c) {
        const Category& category = *s.points->categories[c];
        all.push_back({shownText(category.name), classOf(category, voxel.modes[c])});
    }
}

QString cellText(Vec3i cell) {
    return QStringLiteral("%1, %2, %3").arg(cell.x).arg(cell.y).arg(cell.z);
}

Properties voxelProperties(std::size_t v, const Snapshot& s) {
    const PickedVoxel voxel = pickVoxel(s.voxels, v);
    Properties all{{tr("Voxel"), cellText(voxel.cell)}};
    addPosition(all, Vec3f{voxel.means[0], voxel.means[1], voxel.means[2]}.as<double>() + s.origin());
    addValues(all, voxel, s);
    return all;
}

Properties triangleProperties(const Hit& hit, const Snapshot& s) {
    Properties all{{tr("Triangle"), countText(hit.index)}};
    addPosition(all, hit.position);
    if (!s.voxels)
        return all;
    const GridShape& shape = s.voxels->shape;
    const Vec3f at = ((hit.position - s.origin()).as<float>() - shape.origin) / shape.voxelSize;
    const Vec3i cell{int(std::floor(at.x)), int(std::floor(at.y)), int(std::floor(at.z))};
    if (const auto found = voxelInCell(s.voxels, cell)) {
        all.push_back({tr("In voxel"), cellText(cell)});
        addValues(all, pickVoxel(s.voxels, *found), s);
    }
    return all;
}

} // namespace

Properties pickProperties(const Hit& hit, const Snapshot& s) {
    switch (hit.kind) {
    case PrimitiveKind::point:
        return s.cloud && s.points && hit.index < s.points->positions.size() ? pointProperties(hit.index, s)
                                                                             : Properties{};
    case PrimitiveKind::voxel:
        return s.voxels && s.points && hit.index < s.voxels->size() ? voxelProperties(hit.index, s)
                                                                    : Properties{};
    case PrimitiveKind::triangle:
        return s.mesh && hit.index < s.mesh->triangleCount() ? triangleProperties(hit, s) : Properties{};
    case PrimitiveKind::none:
        break;
    }
    return {};
}

} // namespace scanloupe::gui
