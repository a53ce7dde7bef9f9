// Connects the voxel view with its geometry.
#include "engine/results/snapshot.h"
#include "gui/views/gl_view.h"

#include <QLocale>

namespace scanloupe::gui {

VoxelView::VoxelView(const ViewContext& context, QWidget* parent)
    : GlView(context, makeVoxelScene(), parent) {}

GlView::GeometryBuilder VoxelView::builder() const {
    GeometryBuilder builder{};
    builder.onHost = [](const Snapshot& s, std::uint64_t coarsestLimit,
                        const std::stop_token& stop) -> Geometry {
        return buildVoxelGeometry(s, coarsestLimit, stop);
    };
    builder.onDevice = [](const Snapshot& s, const std::shared_ptr<const Stream>& stream,
                          const std::stop_token& stop) -> Geometry {
        return deviceVoxelGeometry(s, stream, stop);
    };
    builder.liesOnDevice = [](const Snapshot& s) { return s.shownVoxels.onDevice(); };
    builder.download = [](const Snapshot& s) -> std::uint64_t {
        return s.shownVoxels && s.shownVoxels.bringToHost() ? s.shownVoxels->bytes() : 0;
    };
    return builder;
}

Hit VoxelView::hitOf(const ViewGeometry& geometry, std::uint32_t item) const {
    const std::uint32_t voxel =
        geometry.device ? item : static_cast<const VoxelGeometry&>(geometry).voxelOf[item];
    return {PrimitiveKind::voxel, voxel, {}, nullptr};
}

QString VoxelView::countText(const Snapshot& snapshot) const {
    return snapshot.shownVoxels ? QLocale().toString(static_cast<qulonglong>(snapshot.shownVoxels->size()))
                                : QString();
}

} // namespace scanloupe::gui
