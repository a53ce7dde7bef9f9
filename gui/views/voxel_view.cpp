// Connects the voxel view with its geometry.
#include "engine/pipeline/colouring.h"
#include "gui/views/gl_view.h"

#include <QLocale>

namespace scanloupe::gui {

VoxelView::VoxelView(LinkedCamera& camera, QWidget* parent) : GlView(camera, makeVoxelScene(), parent) {}

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
    builder.liesOnDevice = [](const Snapshot& s) { return s.voxels.onDevice(); };
    builder.download = [](const Snapshot& s) -> std::uint64_t {
        return s.voxels && s.voxels.bringToHost() ? s.voxels->bytes() : 0;
    };
    return builder;
}

namespace {
/// Identifies the distances that voxels are coloured by; null when they are not, or when not all are known.
const void* distancesOf(const Snapshot& s) {
    const bool shown = s.resolved.colourBy == kPointDistance && s.quality && s.quality->ofAllPoints();
    return shown ? s.quality.get() : nullptr;
}
} // namespace

bool VoxelView::sameGeometry(const Snapshot& a, const Snapshot& b) const {
    return a.voxels == b.voxels && a.cloud == b.cloud && sameColouring(a.resolved, b.resolved) &&
           distancesOf(a) == distancesOf(b);
}

Hit VoxelView::hitOf(const ViewGeometry& geometry, std::uint32_t item) const {
    const std::uint32_t voxel =
        geometry.device ? item : static_cast<const VoxelGeometry&>(geometry).voxelOf[item];
    return {PrimitiveKind::voxel, voxel, {}, nullptr};
}

QString VoxelView::countText(const Snapshot& snapshot) const {
    return snapshot.voxels ? QLocale().toString(static_cast<qulonglong>(snapshot.voxels->size()))
                           : tr("none in a volume");
}

} // namespace scanloupe::gui
