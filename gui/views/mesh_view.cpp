// Connects the mesh view with its geometry.
#include "engine/results/snapshot.h"
#include "gui/views/gl_view.h"

#include <QLocale>

namespace scanloupe::gui {

MeshView::MeshView(const ViewContext& context, QWidget* parent) : GlView(context, makeMeshScene(), parent) {}

GlView::GeometryBuilder MeshView::builder() const {
    GeometryBuilder builder{};
    builder.onHost = [](const Snapshot& s, std::uint64_t coarsestLimit,
                        const std::stop_token& stop) -> Geometry {
        return buildMeshGeometry(s, coarsestLimit, stop);
    };
    builder.onDevice = [](const Snapshot& s, const std::shared_ptr<const Stream>& stream,
                          const std::stop_token& stop) -> Geometry {
        return deviceMeshGeometry(s, stream, stop);
    };
    builder.liesOnDevice = [](const Snapshot& s) { return s.mesh.onDevice(); };
    builder.download = [](const Snapshot& s) -> std::uint64_t {
        if (!s.mesh || s.mesh->triangleCount() == 0)
            return 0;
        // the colours need the voxels
        const std::uint64_t voxels = s.voxels && s.voxels.bringToHost() ? s.voxels->bytes() : 0;
        return voxels + (s.mesh.bringToHost() ? s.mesh->bytes() : 0);
    };
    return builder;
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
