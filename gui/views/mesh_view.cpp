#include "gui/views/gl_view.h"

#include <QLocale>

namespace scanloupe::gui {

MeshView::MeshView(LinkedCamera& camera, QWidget* parent) : GlView(camera, makeMeshScene(), parent) {}

GlView::Builder MeshView::builder() const {
    return [](const Snapshot& snapshot, std::uint64_t enough, const std::stop_token& stop) -> Geometry {
        return buildMeshGeometry(snapshot, enough, stop);
    };
}

bool MeshView::sameGeometry(const Snapshot& a, const Snapshot& b) const {
    return a.mesh == b.mesh && a.voxels == b.voxels && a.cloud == b.cloud &&
           a.resolved.colourBy == b.resolved.colourBy && a.resolved.colourMap == b.resolved.colourMap;
}

Hit MeshView::hitOf(const ViewGeometry&, std::uint32_t item) const {
    return {PrimitiveKind::triangle, item, {}, nullptr};
}

QString MeshView::countText(const Snapshot& snapshot) const {
    return snapshot.mesh
               ? tr("%1 triangles")
                     .arg(QLocale().toString(static_cast<qulonglong>(snapshot.mesh->triangleCount())))
               : QString();
}

} // namespace scanloupe::gui
