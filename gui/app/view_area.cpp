// Arranges the three views side by side.
#include "gui/app/view_area.h"

#include "gui/views/gl_view.h"
#include "gui/views/raster_view.h"
#include "gui/views/view_navigation.h"

#include <algorithm>

namespace scanloupe::gui {

ViewArea::ViewArea(const ViewContext& context, QWidget* parent) : QSplitter(Qt::Horizontal, parent) {
    m_raster = new RasterView(context, this);
    m_voxels = new VoxelView(context, this);
    m_mesh = new MeshView(context, this);
    m_views = {m_voxels, m_mesh, m_raster};
    connect(m_raster, &RasterView::pictureWanted, this, &ViewArea::pictureWanted);
    connect(m_raster, &RasterView::transferred, this, &ViewArea::transferred);
    for (GlView* view : {static_cast<GlView*>(m_voxels), static_cast<GlView*>(m_mesh)})
        connect(view, &GlView::transferred, this, &ViewArea::transferred);
    setChildrenCollapsible(false);
    for (ScanView* view : m_views) {
        view->widget()->setMinimumSize(72, 120); // three of them beside two docks on a screen of 800 pixels
        addWidget(view->widget());
        setStretchFactor(indexOf(view->widget()), 1);
        connect(view->navigation(), &ViewNavigation::picked, this, &ViewArea::picked);
        connect(view->navigation(), &ViewNavigation::nothingPicked, this, &ViewArea::nothingPicked);
        connect(view->navigation(), &ViewNavigation::failed, this, &ViewArea::pickFailed);
        connect(view->navigation(), &ViewNavigation::doubleClicked, this, [this, view] {
            if (m_measuring)
                emit measureEnded();
            else
                toggleFill(view);
        });
        connect(view->navigation(), &ViewNavigation::rightClicked, this, [this] {
            if (m_measuring)
                emit measureEnded();
        });
    }
    setSizes({1000, 1000, 1000});
}

Transfers ViewArea::transfers() const {
    return {m_voxels->transfer(), m_mesh->transfer(), m_raster->transfer()};
}

void ViewArea::setSnapshot(const SnapshotPtr& snapshot) {
    for (ScanView* view : m_views)
        view->setSnapshot(snapshot);
}

void ViewArea::setStyle(const ViewStyle& style) {
    for (ScanView* view : m_views)
        view->setStyle(style);
}

void ViewArea::setMarks(const SceneMarks& marks) {
    for (ScanView* view : m_views)
        view->setMarks(marks);
}

void ViewArea::setMeasuring(bool measuring) {
    m_measuring = measuring;
    for (ScanView* view : m_views)
        if (measuring)
            view->widget()->setCursor(Qt::CrossCursor);
        else
            view->widget()->unsetCursor();
}

void ViewArea::toggleFill(ScanView* view) {
    const bool filled = std::all_of(m_views.begin(), m_views.end(), [view](ScanView* other) {
        return other == view || other->widget()->isHidden();
    });
    for (ScanView* other : m_views)
        other->widget()->setVisible(filled || other == view);
    view->widget()->setFocus();
}

double ViewArea::aspect() const {
    for (const ScanView* view : m_views) {
        const QWidget* widget = const_cast<ScanView*>(view)->widget();
        if (widget->isVisible() && widget->height() > 0)
            return double(widget->width()) / widget->height();
    }
    return 1;
}

} // namespace scanloupe::gui
