#pragma once
// Declares the voxel view and the mesh view, and their common base class.
#include "engine/recipe/stage.h"
#include "gui/jobs/background_worker.h"
#include "gui/views/geometry/view_geometry.h"
#include "gui/views/gl_canvas.h"
#include "gui/views/scan_view.h"

#include <QWidget>

class QLabel;

namespace scanloupe {
struct Snapshot;
}

namespace scanloupe::gui {

/// A view of one kind of geometry. Without OpenGL it shows a message instead.
class GlView : public QWidget, public ScanView {
    Q_OBJECT
public:
    ~GlView() override;

    QWidget* widget() override { return this; }
    void prepare() override;
    void setSnapshot(const SnapshotPtr& snapshot) override;
    void setStyle(const ViewStyle& style) override;
    void setMarks(const SceneMarks& marks) override;
    std::optional<Hit> pick(QPointF pixel) override;
    bool isComplete() const override;
    QImage shownImage() override;
    ViewNavigation* navigation() override { return m_navigation; }

    /// The canvas of the view; null without OpenGL.
    GlCanvas* canvas() { return m_canvas; }
    bool showsWireframe() const { return m_style.wireframe; }
    /// How the shown geometry reached the screen; empty without OpenGL.
    Transfer transfer() const { return m_canvas ? m_canvas->transfer() : Transfer{}; }

signals:
    /// Emitted when the last snapshot is drawn in full.
    void completed();
    /// Emitted when transfer() has changed.
    void transferred();

protected:
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

    using Geometry = std::shared_ptr<const ViewGeometry>;
    GlView(const ViewContext& context, std::unique_ptr<GlScene> scene, QWidget* parent);

    /// Functions that build the geometry on a worker; free functions, since they may still run when the view
    /// is destroyed.
    struct GeometryBuilder {
        Geometry (*onHost)(const Snapshot&, std::uint64_t coarsestLimit, const std::stop_token&);
        /// Builds from results on the device, which stay there; null when that is impossible.
        Geometry (*onDevice)(const Snapshot&, const std::shared_ptr<const Stream>&, const std::stop_token&);
        bool (*liesOnDevice)(const Snapshot&);
        /// Copies the inputs of onHost to the host; returns the number of bytes copied.
        std::uint64_t (*download)(const Snapshot&);
    };
    virtual GeometryBuilder builder() const = 0;
    /// The row of the view in the table of stages, which determines the input of its geometry.
    virtual Stage stage() const = 0;
    /// Hit of a box or a triangle of the finest level.
    virtual Hit hitOf(const ViewGeometry& geometry, std::uint32_t item) const = 0;
    virtual QString countText(const Snapshot& snapshot) const = 0;
    virtual bool isMesh() const { return false; }

private:
    struct BuiltGeometry {
        SnapshotPtr snapshot;
        Geometry geometry;
        GlCanvas::Origin origin = {};
    };
    /// A request to the worker.
    struct BuildRequest {
        SnapshotPtr snapshot;
        GeometryBuilder builder;
        std::uint64_t coarsestLimit;
        std::shared_ptr<const Stream> stream; ///< null: build on the host
        QString why;                          ///< why results on the device are built on the host
        double waitedMs = 0;                  ///< Transfer::waitedMs
    };
    static BuiltGeometry build(const BuildRequest& request, const std::stop_token& stop);
    /// Returns null if the geometry can't be built on the device; `why` then receives the reason.
    static Geometry buildOnDevice(const BuildRequest& request, const Snapshot& snapshot, QString& why,
                                  const std::stop_token& stop);
    void requestGeometry(const SnapshotPtr& snapshot, QString why);
    /// The reason why results on the device must be copied; empty if they need not.
    QString deviceProblem();
    void onRefusal(const QString& why, bool lasting);
    GlCanvas::Look look() const;
    void onGeometryBuilt(const BuiltGeometry& built);
    const BuiltGeometry& shown();
    void showProblem(const QString& sentence);
    void updateOverlay();
    void onPicture();

    LinkedCamera& m_camera;
    InteropChoice& m_interop;
    GlCanvas* m_canvas = nullptr;
    QLabel* m_problem = nullptr;
    ViewNavigation* m_navigation = nullptr;
    ViewStyle m_style;
    SnapshotPtr m_snapshot;        ///< the latest
    SnapshotPtr m_requested;       ///< the snapshot whose geometry was requested last
    SnapshotPtr m_uploaded;        ///< the snapshot whose geometry the canvas has, or uploads
    BuiltGeometry m_shown, m_sent; ///< the drawn one, and its replacement during the upload
    QString m_failure;
    QString m_interopProblem;               ///< why CUDA can't write this view's buffers; not tried again
    std::shared_ptr<const Stream> m_stream; ///< for work on the device; null until needed
    BackgroundWorker<BuiltGeometry> m_background;
};

/// Shows the occupied voxels as boxes.
class VoxelView : public GlView {
    Q_OBJECT
public:
    explicit VoxelView(const ViewContext& context, QWidget* parent = nullptr);
    QString title() const override { return tr("Voxels"); }

protected:
    GeometryBuilder builder() const override;
    Stage stage() const override { return Stage::voxelView; }
    Hit hitOf(const ViewGeometry& geometry, std::uint32_t item) const override;
    QString countText(const Snapshot& snapshot) const override;
};

/// Shows the surface as triangles.
class MeshView : public GlView {
    Q_OBJECT
public:
    explicit MeshView(const ViewContext& context, QWidget* parent = nullptr);
    QString title() const override { return tr("Mesh"); }

protected:
    GeometryBuilder builder() const override;
    Stage stage() const override { return Stage::meshView; }
    Hit hitOf(const ViewGeometry& geometry, std::uint32_t item) const override;
    QString countText(const Snapshot& snapshot) const override;
    bool isMesh() const override { return true; }
};

} // namespace scanloupe::gui
