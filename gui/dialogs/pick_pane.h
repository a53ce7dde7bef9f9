#pragma once
// Declares a picture that the mouse turns and in which the user clicks places.
#include "gui/jobs/background_worker.h"
#include "gui/views/raster_view.h"

#include <QWidget>
#include <functional>
#include <optional>
#include <vector>

namespace scanloupe::gui {

/// A title over a picture that a worker draws, with an independent camera, and numbered places in it.
class PickPane : public QWidget {
    Q_OBJECT
public:
    /// Draws results with a picture of this camera and size. Called on a worker.
    using Draw = std::function<SnapshotPtr(const Camera& camera, QSize size, const std::stop_token& stop)>;

    /// @param context of the window, whose camera is the initial one; it outlives the pane
    PickPane(const QString& title, const ViewContext& context, Draw draw, QWidget* parent = nullptr);
    ~PickPane() override;

    LinkedCamera& camera() { return m_camera; }
    RasterView& view() { return *m_view; }
    /// Marks places by the numbers of their pairs.
    void setPlaces(const std::vector<std::optional<Vec3d>>& places);

signals:
    void picked(const scanloupe::gui::Hit& hit);
    void failed(const QString& sentence);

private:
    LinkedCamera m_camera;
    Draw m_draw;
    RasterView* m_view;
    BackgroundWorker<SnapshotPtr> m_background;
};

} // namespace scanloupe::gui
