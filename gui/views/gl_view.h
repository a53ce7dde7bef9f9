#pragma once
// What the voxel view and the mesh view share.
#include "gui/jobs/background.h"
#include "gui/views/gl_canvas.h"
#include "gui/views/scan_view.h"
#include "gui/views/view_geometry.h"

#include <QWidget>

class QLabel;

namespace scanloupe::gui {

/// A view of one kind of geometry. Where OpenGL can't be had it shows a sentence in its place.
class GlView : public QWidget, public ScanView {
    Q_OBJECT
public:
    ~GlView() override;

    QWidget* widget() override { return this; }
    void setSnapshot(const SnapshotPtr& snapshot) override;
    void setStyle(const ViewStyle& style) override;
    std::optional<Hit> pick(QPointF pixel) override;
    bool isComplete() const override;
    ViewNavigation* navigation() override { return m_navigation; }

    /// Null where OpenGL can't be had.
    GlCanvas* canvas() { return m_canvas; }
    bool showsWireframe() const { return m_style.wireframe; }

signals:
    /// Everything of the last snapshot is drawn.
    void completed();

protected:
    using Geometry = std::shared_ptr<const ViewGeometry>;
    GlView(LinkedCamera& camera, std::unique_ptr<GlScene> scene, QWidget* parent);

    using Builder = Geometry (*)(const Snapshot&, std::uint64_t enough, const std::stop_token&);
    /// The function that makes the geometry on a worker.
    virtual Builder builder() const = 0;
    /// True when both snapshots have the same geometry in the same colours.
    virtual bool sameGeometry(const Snapshot& a, const Snapshot& b) const = 0;
    /// What a box or triangle of the finest level is.
    virtual Hit hitOf(const ViewGeometry& geometry, std::uint32_t item) const = 0;
    virtual QString countText(const Snapshot& snapshot) const = 0;
    virtual bool isMesh() const { return false; }

private:
    struct Built {
        SnapshotPtr snapshot;
        Geometry geometry;
    };
    GlCanvas::Look look() const;
    void take(const Built& built);
    const Built& shown();
    void showProblem(const QString& sentence);
    void updateOverlay();
    void onPicture();

    LinkedCamera& m_camera;
    GlCanvas* m_canvas = nullptr;
    QLabel* m_problem = nullptr;
    ViewNavigation* m_navigation = nullptr;
    ViewStyle m_style;
    SnapshotPtr m_snapshot;  ///< the last
    SnapshotPtr m_requested; ///< whose geometry was asked for last
    SnapshotPtr m_taken;     ///< whose geometry the canvas has, or is being sent
    Built m_shown, m_sent;   ///< what is drawn, and what takes its place once it has arrived
    QString m_failure;
    Background<Built> m_background;
};

/// The occupied voxels as boxes.
class VoxelView : public GlView {
    Q_OBJECT
public:
    explicit VoxelView(LinkedCamera& camera, QWidget* parent = nullptr);
    QString title() const override { return tr("Voxels"); }

protected:
    Builder builder() const override;
    bool sameGeometry(const Snapshot& a, const Snapshot& b) const override;
    Hit hitOf(const ViewGeometry& geometry, std::uint32_t item) const override;
    QString countText(const Snapshot& snapshot) const override;
};

/// The surface as triangles.
class MeshView : public GlView {
    Q_OBJECT
public:
    explicit MeshView(LinkedCamera& camera, QWidget* parent = nullptr);
    QString title() const override { return tr("Mesh"); }

protected:
    Builder builder() const override;
    bool sameGeometry(const Snapshot& a, const Snapshot& b) const override;
    Hit hitOf(const ViewGeometry& geometry, std::uint32_t item) const override;
    QString countText(const Snapshot& snapshot) const override;
    bool isMesh() const override { return true; }
};

} // namespace scanloupe::gui
