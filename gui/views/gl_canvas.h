#pragma once
// Declares the OpenGL part of a view.
#include "gui/interop/transfer.h"
#include "gui/views/scene/scene_painter.h"
#include "gui/views/surface/colour_legend.h"
#include "gui/views/surface/gl_surface.h"
#include "gui/views/surface/marks_layer.h"
#include "gui/views/surface/overlay_images.h"
#include "gui/views/view_context.h"

#include <QWidget>

namespace scanloupe::gui {

/// Number of slices in which a view has blocked the GUI thread.
struct ViewTimes {
    int slices = 0, tooLong = 0; ///< over 50 ms
    double lastMs = 0, slowestMs = 0;
    void measured(double milliseconds);
};

/// The OpenGL part of a view: draws in slices of the event loop under a budget, and shows finished pictures
/// only.
class GlCanvas : public QWidget, private GlClient {
    Q_OBJECT
public:
    GlCanvas(std::unique_ptr<GlScene> scene, const ViewContext& context, QWidget* parent);
    ~GlCanvas() override;

    struct Look {
        SceneStyle style;
        bool eyeDome = true;
        float eyeDomeStrength = 1;
        bool operator==(const Look&) const = default;
    };
    void setLook(const Look& look);
    /// Origin of a geometry, for transfer().
    struct Origin {
        quint64 bytesToHost = 0; ///< bytes copied from the device for it
        double hostMs = 0;       ///< to copy them and to build the geometry on a worker
        double waitedMs = 0;     ///< Transfer::waitedMs
        QString why;             ///< the reason for the copy
        std::chrono::steady_clock::time_point finished = {}; ///< the time when its results were ready
    };
    /// Uploads new geometry; the old one is shown until the first picture of the new one is finished.
    void setScene(std::shared_ptr<const ViewGeometry> geometry, const Look& look, const Origin& origin);
    void setOverlay(const QString& title, const QString& detail, const std::optional<ColourLegend>& legend,
                    bool visible);

    /// Creates the context and the programs, if the canvas has not been shown yet.
    void prepare() { m_surface->prepare(); }
    void setMarks(const SceneMarks& marks);
    void setCursorPosition(std::optional<QPointF> pixel);
    /// Draws the frame of the view that has the focus.
    void setFocused(bool focused);

    /// True when the last geometry is drawn in full, with the current camera and look.
    bool isComplete() const;
    /// Picks the primitive of the finest level at a pixel of the widget.
    std::optional<ScenePainter::Pick> pick(QPointF pixel);
    /// Whether there is a context with the programs that scenes need.
    bool isReady() const { return m_ready; }
    /// Whether the last geometry was refused().
    bool isRefused() const { return m_refused; }
    /// The drawn geometry, whose primitives pick() returns; null before the first.
    const ViewGeometry* shownGeometry() const { return m_scene->geometry(); }
    /// Number of boxes or triangles that are certain to be drawn within a slice: the limit of the coarsest
    /// level.
    std::uint64_t affordable() const { return m_painter.affordable(); }
    /// Image of the widget, in device pixels.
    QImage grabPicture() { return m_surface->grab(); }
    /// The picture without title, axes and legend; null while there is no context.
    QImage picture();
    /// Draws or uploads as much as the budget of one slice allows; DrawScheduler calls it.
    void drawSlice();
    const ViewTimes& times() const { return m_times; }
    /// How the shown geometry reached the screen.
    const Transfer& transfer() const { return m_transfer; }
    /// Pool of the buffers that CUDA writes.
    const GlBufferPool& pool() const { return m_scene->pool(); }
    void resetTimes() { m_times = {}; }

signals:
    void pictureShown();
    void failed(const QString& sentence);
    /// Emitted when CUDA cannot write the buffers of a geometry on the device, which is dropped; `lasting`:
    /// it cannot write any other geometry either.
    void refused(const QString& why, bool lasting);
    /// Emitted when a geometry is on the screen for the first time.
    void transferred();

private:
    void contextReady(Gl& gl) override;
    void contextLost(Gl& gl) override;
    void contextFailed() override;
    void present(Gl& gl, GLuint framebuffer, QSize size) override;
    void presented() override;
    Overlay overlay() override;
    void surfaceChanged() override { schedule(); }

    PictureRequest wanted() const;
    bool hasWork() const;
    /// Whether there is nothing to draw: the background needs no context.
    bool isEmpty() const { return !m_geometry && !m_scene->geometry(); }
    void schedule();
    bool goOn(Gl& gl);
    /// Begins to upload m_geometry.
    void begin(Gl& gl);

    std::unique_ptr<GlScene> m_scene;
    LinkedCamera& m_camera;
    DrawScheduler& m_scheduler;
    ScenePainter m_painter;
    std::unique_ptr<GlSurface> m_surface;
    bool m_ready = false, m_refused = false;
    std::shared_ptr<const ViewGeometry> m_geometry; ///< the last one; uploaded again to a new context
    Look m_look, m_arrivingLook;
    std::uint64_t m_generation = 0; ///< generation of the drawn geometry
    Origin m_origin;
    Transfer m_transfer, m_arriving; ///< transfers of the shown geometry and of the next one
    bool m_drawnUnreported = false;  ///< the first picture of m_arriving is not on the screen yet
    ViewTimes m_times;
    QString m_title, m_detail;
    bool m_overlayVisible = true, m_focused = false;
    std::optional<ColourLegend> m_legend;
    OverlayImages m_overlay;
    MarksLayer m_marks;
};

} // namespace scanloupe::gui
