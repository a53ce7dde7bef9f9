// Shows a picture in which places are clicked.
#include "gui/dialogs/pick_pane.h"

#include "gui/jobs/failure.h"
#include "gui/views/view_navigation.h"

#include <QLabel>
#include <QVBoxLayout>

namespace scanloupe::gui {

PickPane::PickPane(const QString& title, const ViewContext& context, Draw draw, QWidget* parent)
    : QWidget(parent), m_draw(std::move(draw)),
      m_view(new RasterView({m_camera, context.scheduler, context.interop}, this)),
      m_background([this](const SnapshotPtr& drawn) { m_view->setSnapshot(drawn); },
                   [this](const std::exception_ptr& error) { emit failed(failureOf(error, {}).sentence); }) {
    m_camera.setCamera(context.camera.camera());
    auto* label = new QLabel(title);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(label);
    column->addWidget(m_view, 1);
    ViewStyle style;
    style.overlay = false; // the title above replaces the overlay
    m_view->setStyle(style);
    m_view->setCursor(Qt::CrossCursor);
    connect(m_view, &RasterView::pictureWanted, this, [this](const Camera& camera, QSize size) {
        m_background.run(
            [draw = m_draw, camera, size](const std::stop_token& stop) { return draw(camera, size, stop); });
    });
    connect(m_view->navigation(), &ViewNavigation::picked, this, &PickPane::picked);
}

PickPane::~PickPane() {
    delete m_view; // the view refers to the camera, which is destroyed later
}

void PickPane::setPlaces(const std::vector<std::optional<Vec3d>>& places) {
    SceneMarks marks;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (!places[i])
            continue;
        SceneMark& mark = marks.marks.emplace_back();
        mark.markers = {*places[i]};
        mark.text = QString::number(i + 1);
        mark.textAt = *places[i];
        mark.colour = QColor(255, 200, 40);
        mark.ring = true;
    }
    m_view->setMarks(marks);
}

} // namespace scanloupe::gui
