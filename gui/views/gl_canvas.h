#pragma once
#include "gui/views/image_quad.h"
#include "gui/views/linked_camera.h"
#include "gui/views/scene_painter.h"

#include <QOpenGLWidget>
#include <QTimer>

namespace scanloupe::gui {

/// How long the GUI thread was kept by one view.
struct ViewTimes {
    int turns = 0, tooLong = 0; ///< too long: over 50 ms
    double lastMs = 0, slowestMs = 0;
    void measured(double milliseconds);
};

/// The OpenGL part of a view: draws in turns of the event loop under a budget, and shows finished pictures only.
class GlCanvas : public QOpenGLWidget {
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
    /// Sends new geometry; the old is shown until its first picture is there.
    void setScene(std::shared_ptr<const ViewGeometry> geometry, const Look& look);
    void setOverlay(const QString& title, const QString& detail, bool visible);

    /// True when all of the last geometry is drawn, with the present camera and look.
    bool isComplete() const;
    std::optional<ScenePainter::Pick> pick(QPointF pixel);
    std::uint64_t affordable() const { return m_painter.affordable(); }
    const ViewTimes& times() const { return m_times; }
    void resetTimes() { m_times = {}; }

signals:
    void pictureShown();
    void failed(const QString& sentence);

protected:
    void initializeGL() override;
    void resizeGL(int width, int height) override;
    void paintGL() override;
    void showEvent(QShowEvent* event) override;

private:
    PictureRequest wanted() const;
    QSize pixelSize() const;
    bool hasWork() const;
    void schedule();
    void work();
    bool goOn();
    void upload(std::shared_ptr<const ViewGeometry> geometry);
    void cleanUp();
    void drawOverlay();

    std::unique_ptr<GlScene> m_scene;
    LinkedCamera& m_camera;
    Gl* m_gl = nullptr; ///< null while there is no context
    ScenePainter m_painter;
    ImageQuad m_titleQuad, m_tripodQuad;
    std::shared_ptr<const ViewGeometry> m_geometry; ///< the last one; sent again to a new context
    Look m_look, m_arrivingLook;
    std::uint64_t m_generation = 0;
    QTimer m_turn;
    ViewTimes m_times;
    QString m_title, m_detail;
    bool m_overlay = true;
    QImage m_titleImage, m_tripodImage;
    Camera m_tripodCamera;
};

} // namespace scanloupe::gui
