#pragma once
#include "gui/interop/transfer.h"
#include "gui/views/colour_legend.h"
#include "gui/views/gl_surface.h"
#include "gui/views/linked_camera.h"
#include "gui/views/scene_painter.h"

#include <QWidget>

namespace scanloupe::gui {

/// How long the GUI thread was kept by one view.
struct ViewTimes {
    int slices = 0, tooLong = 0; ///< too long: over 50 ms
    double lastMs = 0, slowestMs = 0;
    void measured(double milliseconds);
};

/// The OpenGL part of a view: draws in slices of the event loop under a budget, and shows finished pictures
/// only.
class GlCanvas : public QWidget, private GlClient {
    Q_OBJECT
public:
    GlCanvas(std::unique_ptr<GlScene> scene, LinkedCamera& camera, QWidget* parent);
    ~GlCanvas() override;

    struct Look {
        SceneStyle style;
        bool eyeDome = true;
        float eyeDomeStrength = 1;
        bool operator==(const Look&) const = default;
    };
    void setLook(const Look& look);
    /// Where a geometry comes from, for transfer().
    struct Origin {
        quint64 bytesToHost = 0; ///< copied from the device for it
        double hostMs = 0;       ///< which took so long, on a worker, and making it from that
        double waitedMs = 0;     ///< Transfer::waitedMs
        QString why;             ///< why they were
        std::chrono::steady_clock::time_point finished = {}; ///< when what it shows was there
    };
    /// Sends new geometry; the old is shown until the new one's first picture is there.
    void setScene(std::shared_ptr<const ViewGeometry> geometry, const Look& look, const Origin& origin);
    void setOverlay(const QString& title, const QString& detail, const std::optional<ColourLegend>& legend,
                    bool visible);

    /// Frames the view that has the keys.
    void setFocused(bool focused);

    /// True when all of the last geometry is drawn, with the present camera and look.
    bool isComplete() const;
    /// What the finest level has at a pixel of the widget.
    std::optional<ScenePainter::Pick> pick(QPointF pixel);
    /// Whether there is a context with all that scenes need.
    bool isReady() const { return m_ready; }
    /// Whether the last geometry was refused(); none has come since.
    bool isRefused() const { return m_refused; }
    /// What is drawn, and what pick() tells numbers of; null before the first has arrived.
    const ViewGeometry* shownGeometry() const { return m_scene->geometry(); }
    /// Boxes or triangles that are surely drawn in one turn: what the coarsest level may have.
    std::uint64_t affordable() const { return m_painter.affordable(); }
    /// What the widget shows, in device pixels.
    QImage grabPicture() { return m_surface->grab(); }
    /// The same without title, axes and legend; null while there is no context.
    QImage picture();
    /// Draws or sends what it can within the budget of one slice; DrawScheduler calls it.
    void drawSlice();
    const ViewTimes& times() const { return m_times; }
    /// How what is shown came to the screen.
    const Transfer& transfer() const { return m_transfer; }
    /// Of the buffers that CUDA writes.
    const GlBufferPool& pool() const { return m_scene->pool(); }
    void resetTimes() { m_times = {}; }

signals:
    void pictureShown();
    void failed(const QString& sentence);
    /// CUDA can't write the buffers of a geometry on the device, which is dropped; nor, if it is lasting,
    /// those of another.
    void refused(const QString& why, bool lasting);
    /// A geometry is on the screen for the first time.
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
    void schedule();
    bool goOn(Gl& gl);
    /// Begins to send m_geometry.
    void begin(Gl& gl);

    std::unique_ptr<GlScene> m_scene;
    LinkedCamera& m_camera;
    ScenePainter m_painter;
    std::unique_ptr<GlSurface> m_surface;
    bool m_ready = false, m_refused = false;
    std::shared_ptr<const ViewGeometry> m_geometry; ///< the last one; sent again to a new context
    Look m_look, m_arrivingLook;
    std::uint64_t m_generation = 0; ///< of the geometry that is drawn
    Origin m_origin;
    Transfer m_transfer, m_arriving; ///< of what is shown, and of what comes after it
    bool m_untold = false;           ///< m_arriving's first picture is not on the screen yet
    ViewTimes m_times;
    QString m_title, m_detail;
    bool m_overlayVisible = true, m_focused = false;
    std::optional<ColourLegend> m_legend;
    QImage m_titleImage, m_tripodImage, m_legendImage;
    Camera m_tripodCamera;
};

} // namespace scanloupe::gui
