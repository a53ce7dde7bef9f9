#include "gui/models/pick_properties.h"

#include "gui/models/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace scanloupe::gui {

namespace {

QString tr(const char* text) {
    return PropertyModel::tr(text);
}

constexpr std::array kAxes{"x", "y", "z"};

/// A tenth of a millimetre is finer than what is known of a mean or of a place on a triangle.
void addPosition(Properties& all, Vec3d p) {
    for (int axis = 0; axis < 3; ++axis)
        all.push_back({QString::fromLatin1(kAxes[std::size_t(axis)]), QString::number(p[axis], 'f', 4)});
}

Properties ofPoint(std::size_t drawn, const Snapshot& s) {
    // a preview's points are every n-th of the cloud
    const std::size_t count = s.points->positions.size();
    const std::size_t index = drawn * ((s.cloud->size() + count - 1) / count);
    if (index >= s.cloud->size())
        return {};
    Properties all{{tr("Point"), countText(index)}};
    for (int axis = 0; axis < 3; ++axis)
        all.push_back({QString::fromLatin1(kAxes[std::size_t(axis)]), coordinateText(*s.cloud, index, axis)});
    for (const Attribute& attribute : s.cloud->attributes())
        all.push_back(
            {QString::fromStdString(attribute.name), attributeText(attribute, attribute.value(index))});
    return all;
}

void addMeans(Properties& all, std::size_t v, const Snapshot& s) {
    const VoxelGrid& grid = s.voxels.host();
    all.push_back({tr("Points in it"), countText(grid.counts[v])});
    for (std::size_t f = 0; f < grid.featureCount && f < s.points->channels.size(); ++f) {
        const VoxelChannel& channel = s.points->channels[f];
        all.push_back({tr("Mean %1").arg(QString::fromStdString(channel.name)),
                       numberText(double(grid.mean(3 + f)[v]) + channel.offset)});
    }
}

Properties ofVoxel(std::size_t v, const Snapshot& s) {
    const VoxelGrid& grid = s.voxels.host();
    const Vec3i cell = grid.shape.cell(grid.keys[v]);
    Properties all{{tr("Voxel"), QStringLiteral("%1, %2, %3").arg(cell.x).arg(cell.y).arg(cell.z)}};
    addPosition(all, Vec3f{grid.mean(0)[v], grid.mean(1)[v], grid.mean(2)[v]}.as<double>() + s.origin());
    addMeans(all, v, s);
    return all;
}

Properties ofTriangle(const Hit& hit, const Snapshot& s) {
    Properties all{{tr("Triangle"), countText(hit.index)}};
    addPosition(all, hit.position);
    if (!s.voxels)
        return all;
    const GridShape& shape = s.voxels->shape;
    const Vec3f at = ((hit.position - s.origin()).as<float>() - shape.origin) / shape.voxelSize;
    const Vec3i cell{int(std::floor(at.x)), int(std::floor(at.y)), int(std::floor(at.z))};
    for (int axis = 0; axis < 3; ++axis) {
        if (cell[axis] < 0 || cell[axis] >= shape.dims[axis])
            return all;
    }
    const auto keys = s.voxels.host().keys.span();
    const auto found = std::lower_bound(keys.begin(), keys.end(), shape.key(cell));
    if (found != keys.end() && *found == shape.key(cell)) {
        all.push_back({tr("In voxel"), QStringLiteral("%1, %2, %3").arg(cell.x).arg(cell.y).arg(cell.z)});
        addMeans(all, std::size_t(found - keys.begin()), s);
    }
    return all;
}

} // namespace

Properties pickProperties(const Hit& hit, const Snapshot& s) {
    switch (hit.kind) {
    case PrimitiveKind::point:
        return s.cloud && s.points && hit.index < s.points->positions.size() ? ofPoint(hit.index, s)
                                                                             : Properties{};
    case PrimitiveKind::voxel:
        return s.voxels && s.points && hit.index < s.voxels->size() ? ofVoxel(hit.index, s) : Properties{};
    case PrimitiveKind::triangle:
        return s.mesh && hit.index < s.mesh->triangleCount() ? ofTriangle(hit, s) : Properties{};
    case PrimitiveKind::none:
        break;
    }
    return {};
}

} // namespace scanloupe::gui
