#pragma once
// Declares the view of the software rasterizer's picture.
#include "gui/interop/picture_texture.h"
#include "gui/jobs/background_worker.h"
#include "gui/views/scan_view.h"
#include "gui/views/surface/colour_legend.h"
#include "gui/views/surface/gl_surface.h"
#include "gui/views/surface/marks_layer.h"
#include "gui/views/surface/overlay_images.h"
#include "gui/views/view_context.h"

#include <QImage>
#include <QTimer>
#include <QWidget>

namespace scanloupe {
struct Picture;
}

namespace scanloupe::gui {

class ComparePane;

/// Shows the picture of the software rasterizer. It draws nothing itself: it requests the picture that it
/// needs, and scales the last one until that arrives. If a GPU draws OpenGL, the picture is a texture, which
/// CUDA writes if it can; otherwise it is painted from host memory. A picture that must be copied from the
/// device is copied on a worker.
class RasterView : public QWidget, public ScanView, private GlClient {
    Q_OBJECT
public:
    explicit RasterView(const ViewContext& context, QWidget* parent = nullptr);
    ~RasterView() override;

    QWidget* widget() override { return this; }
    QString title() const override { return tr("Rasterized"); }
    void prepare() override;
    void setSnapshot(const SnapshotPtr& snapshot) override;
    void setStyle(const ViewStyle& style) override;
    void setMarks(const SceneMarks& marks) override;
    std::optional<Hit> pick(QPointF pixel) override;
    bool isComplete() const override;
    QImage shownImage() override;
    ViewNavigation* navigation() override { return m_navigation; }

    /// Shows the picture of another run, A, to the left of a divider. Null: only this run.
    void setCompared(const SnapshotPtr& a);
    /// Null while only one run is shown.
    ComparePane* comparePane() const { return m_compare; }

    /// How the last picture reached the screen.
    const Transfer& transfer() const { return m_transfer; }
    /// Size of the view in device pixels.
    QSize pixelSize() const;

signals:
    /// Camera (file's frame) and size of the picture that the view needs now; after changes, once per round
    /// of the event loop.
    void pictureWanted(const scanloupe::Camera& camera, QSize devicePixels);
    /// Emitted when the requested picture has arrived.
    void completed();
    /// Emitted when a picture is on the screen for the first time.
    void transferred();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void contextReady(Gl&) override {}
    void contextLost(Gl& gl) override { m_texture.release(gl); }
    void contextFailed() override;
    void present(Gl& gl, GLuint framebuffer, QSize size) override;
    void presented() override;
    Overlay overlay() override;
    void surfaceChanged() override {}

    void requestPicture();
    void scheduleRepaint();
    /// A snapshot whose picture can be shown, and its latency.
    struct Arrival {
        SnapshotPtr snapshot;
        int number = 0;                ///< number of the call of setSnapshot()
        double waitedMs = 0;           ///< Transfer::waitedMs
        double copyMs = 0;             ///< duration of the copy to the host
        std::uint64_t bytesToHost = 0; ///< bytes of that copy
    };
    /// Whether the picture can be shown only after a copy to the host.
    bool needsCopy(const Picture& picture) const;
    /// Shows the snapshot of `arrival`, after copying its picture to the host if necessary.
    void request(const Arrival& arrival);
    /// Requests the shown picture again, for another way of display.
    void requestAgain();
    void showArrival(const Arrival& arrival);
    void setPaintedPicture(const std::shared_ptr<const Picture>& picture);
    QString detail() const;

    struct PendingTransfer {
        Transfer transfer;
        std::chrono::steady_clock::time_point finished; ///< Picture::finished
    };

    LinkedCamera& m_camera;
    InteropChoice& m_interop;
    ViewNavigation* m_navigation;
    ViewStyle m_style;
    bool m_isGrabbing = false;                ///< the focus frame is for interaction, not for pictures
    SnapshotPtr m_snapshot;                   ///< the displayed snapshot
    std::shared_ptr<const Picture> m_picture; ///< the displayed picture
    Arrival m_arrival;                        ///< of m_picture
    int m_requested = 0;                      ///< number of the last call of setSnapshot()
    int m_shown = 0;                          ///< number of the call whose snapshot is shown
    QImage m_image;                           ///< wraps the picture's pixels if it is painted
    PictureTexture m_texture;                 ///< holds the picture if OpenGL shows it
    Transfer m_transfer;                      ///< transfer of the picture on the screen
    std::optional<PendingTransfer> m_pending; ///< transfer of the next picture
    OverlayImages m_overlay;
    MarksLayer m_marks;
    ComparePane* m_compare = nullptr; ///< a child, over the picture; null while only one run is shown
    QTimer m_requestTimer;
    BackgroundWorker<Arrival> m_copier; ///< copies pictures from the device
    /// The OpenGL surface; null if the picture is painted. Declared last, so destroyed first, with its
    /// context.
    std::unique_ptr<GlSurface> m_surface;
};

} // namespace scanloupe::gui
