#pragma once
// What the voxel view and the mesh view share.
#include "gui/jobs/background_worker.h"
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
    /// How what is shown came to the screen; of nothing where OpenGL can't be had.
    Transfer transfer() const { return m_canvas ? m_canvas->transfer() : Transfer{}; }

signals:
    /// Everything of the last snapshot is drawn.
    void completed();
    /// What transfer() tells has changed.
    void transferred();

protected:
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

    using Geometry = std::shared_ptr<const ViewGeometry>;
    GlView(LinkedCamera& camera, std::unique_ptr<GlScene> scene, QWidget* parent);

    /// How geometry is made, by plain functions for a worker, which may be at work when the view goes.
    struct GeometryBuilder {
        Geometry (*onHost)(const Snapshot&, std::uint64_t coarsestLimit, const std::stop_token&);
        /// Of results on the device, which stay there; null where it can't.
        Geometry (*onDevice)(const Snapshot&, const std::shared_ptr<const Stream>&, const std::stop_token&);
        bool (*liesOnDevice)(const Snapshot&);
        /// Brings to the host what onHost takes: the bytes that this has copied.
        std::uint64_t (*download)(const Snapshot&);
    };
    virtual GeometryBuilder builder() const = 0;
    /// True when both snapshots have the same geometry in the same colours.
    virtual bool sameGeometry(const Snapshot& a, const Snapshot& b) const = 0;
    /// What a box or triangle of the finest level is.
    virtual Hit hitOf(const ViewGeometry& geometry, std::uint32_t item) const = 0;
    virtual QString countText(const Snapshot& snapshot) const = 0;
    virtual bool isMesh() const { return false; }

private:
    struct BuiltGeometry {
        SnapshotPtr snapshot;
        Geometry geometry;
        GlCanvas::Origin origin = {};
    };
    /// What a worker makes, and from what.
    struct BuildRequest {
        SnapshotPtr snapshot;
        GeometryBuilder builder;
        std::uint64_t coarsestLimit;
        std::shared_ptr<const Stream> stream; ///< null: on the host
        QString why;                          ///< why something on the device is made on the host
        double waitedMs = 0;                  ///< Transfer::waitedMs
    };
    static BuiltGeometry build(const BuildRequest& request, const std::stop_token& stop);
    /// Null where it can't be: `why` says so.
    static Geometry buildOnDevice(const BuildRequest& request, const Snapshot& snapshot, QString& why,
                                  const std::stop_token& stop);
    void requestGeometry(const SnapshotPtr& snapshot, QString why);
    /// Why results on the device have to be copied; empty where they need not.
    QString deviceProblem();
    void onRefusal(const QString& why, bool lasting);
    GlCanvas::Look look() const;
    void onGeometryBuilt(const BuiltGeometry& built);
    const BuiltGeometry& shown();
    void showProblem(const QString& sentence);
    void updateOverlay();
    void onPicture();

    LinkedCamera& m_camera;
    GlCanvas* m_canvas = nullptr;
    QLabel* m_problem = nullptr;
    ViewNavigation* m_navigation = nullptr;
    ViewStyle m_style;
    SnapshotPtr m_snapshot;        ///< the last
    SnapshotPtr m_requested;       ///< whose geometry was asked for last
    SnapshotPtr m_uploaded;        ///< whose geometry the canvas has, or is being sent
    BuiltGeometry m_shown, m_sent; ///< what is drawn, and what takes its place once it has arrived
    QString m_failure;
    QString m_interopProblem; ///< why CUDA can't write this view's buffers; it is not tried again
    std::shared_ptr<const Stream> m_stream; ///< of what is made on the device; null until something is
    BackgroundWorker<BuiltGeometry> m_background;
};

/// The occupied voxels as boxes.
class VoxelView : public GlView {
    Q_OBJECT
public:
    explicit VoxelView(LinkedCamera& camera, QWidget* parent = nullptr);
    QString title() const override { return tr("Voxels"); }

protected:
    GeometryBuilder builder() const override;
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
    GeometryBuilder builder() const override;
    bool sameGeometry(const Snapshot& a, const Snapshot& b) const override;
    Hit hitOf(const ViewGeometry& geometry, std::uint32_t item) const override;
    QString countText(const Snapshot& snapshot) const override;
    bool isMesh() const override { return true; }
};

} // namespace scanloupe::gui
