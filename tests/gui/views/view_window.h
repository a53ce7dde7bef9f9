#pragma once
// A window with the three views, as tests drive it.
#include "gui/views/gl_view.h"
#include "gui/views/raster_view.h"
#include "gui/views/view_navigation.h"
#include "tests/gui/views/view_scenes.h"

#include <QHBoxLayout>
#include <QSignalSpy>
#include <QTest>
#include <QWidget>

namespace scanloupe::test {

struct ViewWindow {
    gui::LinkedCamera camera;
    gui::DrawScheduler scheduler;
    gui::InteropChoice interop;
    QWidget window;
    gui::VoxelView* voxels = nullptr;
    gui::MeshView* mesh = nullptr;
    gui::RasterView* raster = nullptr;

    explicit ViewWindow(QSize size = {1500, 520}) {
        auto* layout = new QHBoxLayout(&window);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(2);
        const gui::ViewContext context{camera, scheduler, interop};
        voxels = new gui::VoxelView(context);
        mesh = new gui::MeshView(context);
        raster = new gui::RasterView(context);
        for (QWidget* view : {voxels->widget(), mesh->widget(), raster->widget()})
            layout->addWidget(view, 1);
        window.resize(size);
        window.show();
    }
    bool isShown() { return QTest::qWaitForWindowExposed(&window, 20000); }
    void setOverlay(bool overlay) {
        for (gui::ScanView* view : {static_cast<gui::ScanView*>(voxels), static_cast<gui::ScanView*>(mesh),
                                    static_cast<gui::ScanView*>(raster)})
            view->setStyle({false, overlay});
    }
    void lookAt(const Bounds& bounds, gui::StandardView view = gui::StandardView::oblique) {
        camera.setBounds(bounds);
        camera.show(view, double(voxels->width()) / voxels->height());
    }
    static bool waitUntilComplete(const gui::ScanView& view) {
        return QTest::qWaitFor([&] { return view.isComplete(); }, 60000);
    }
    /// The picture of an OpenGL view.
    static QImage grab(gui::GlView& view) {
        return view.canvas()->grabPicture().convertToFormat(QImage::Format_RGB32);
    }
};

/// Stores a picture in the folder $SCANLOUPE_SCREENSHOTS, if it is set.
inline void keep(const QImage& image, const QString& name) {
    const QString folder = qEnvironmentVariable("SCANLOUPE_SCREENSHOTS");
    if (!folder.isEmpty())
        image.save(folder + "/" + name + ".png");
}

} // namespace scanloupe::test
