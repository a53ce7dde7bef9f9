// The context menu of a view, copying its picture, and a picture of all views.
#include "engine/results/snapshot.h"
#include "gui/dialogs/export_dialog.h"
#include "gui/dialogs/picture_options.h"
#include "gui/views/gl_view.h"
#include "gui/views/scene/camera_frame.h"
#include "gui/views/view_navigation.h"
#include "tests/gui/app/window_fixture.h"

#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QMenu>
#include <QSpinBox>
#include <QTableView>
#include <QTimer>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

/// A pixel of the view that shows something; none if there is no such pixel.
std::optional<QPoint> pixelOfSomething(ScanView& view) {
    const QSize size = view.widget()->size();
    for (int y = size.height() / 2; y < size.height(); y += 9)
        for (int x = size.width() / 3; x < size.width(); x += 9)
            if (const auto hit = view.pick(QPointF(x, y)); hit && isFinite(hit->position))
                return QPoint(x, y);
    return std::nullopt;
}

} // namespace

class TestWindowViewMenu : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;

    bool prepare(WindowFixture& f) {
        f.window.activateWindow();
        f.openSample();
        return f.isShown() && QTest::qWaitForWindowActive(&f.window, 20'000) && f.waitForViews();
    }
    static QMenu* menuOf(ScanView& view) {
        for (QMenu* menu : view.widget()->findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly))
            if (menu->isVisible())
                return menu;
        return nullptr;
    }
    static QAction* entry(const QMenu* menu, const QString& text) {
        for (QAction* action : menu->actions())
            if (action->text().remove('&') == text)
                return action;
        return nullptr;
    }

private slots:
    void init() { QSettings().clear(); }

    void aRightClickOpensTheMenu() {
        WindowFixture f;
        QVERIFY(prepare(f));
        for (ScanView* view : f.window.views().views()) {
            const auto pixel = pixelOfSomething(*view);
            QVERIFY2(pixel, qPrintable(view->title()));
            QTest::mouseClick(view->widget(), Qt::RightButton, {}, *pixel);
            QMenu* menu = menuOf(*view);
            QVERIFY(menu);
            for (const char* name : {"Zoom to Fit", "Standard Views", "Centre Here", "Copy View",
                                     "Copy Coordinates", "Show in Rasterized View", "Layout"})
                QVERIFY2(entry(menu, name) && entry(menu, name)->isEnabled(), name);
            if (view == f.window.views().views()[1]) {
                QTest::qWait(50);
                keepPicture(*menu, "view_menu_right");
            }
            menu->close();
            QTRY_VERIFY(!menuOf(*view));
        }
    }

    void aRightDragPansAsBefore() {
        WindowFixture f;
        QVERIFY(prepare(f));
        ScanView* view = f.window.views().views()[1];
        QWidget* widget = view->widget();
        const Camera before = f.window.camera().camera();
        const QPoint from = widget->rect().center();
        QTest::mousePress(widget, Qt::RightButton, {}, from);
        QContextMenuEvent press(QContextMenuEvent::Mouse, from, widget->mapToGlobal(from));
        QCoreApplication::sendEvent(widget, &press); // X11 sends the event in this form
        for (int i = 1; i <= 10; ++i) {
            const QPointF at = from + QPoint(6 * i, 0);
            QMouseEvent move(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton, Qt::RightButton,
                             {});
            QCoreApplication::sendEvent(widget, &move);
        }
        QTest::mouseRelease(widget, Qt::RightButton, {}, from + QPoint(60, 0));
        QVERIFY(!menuOf(*view));
        const Camera after = f.window.camera().camera();
        QVERIFY(!(after == before));
        // the view was shifted without rotation
        QVERIFY(norm((after.target - after.eye) - (before.target - before.eye)) < 1e-9);
    }

    void theMenuKeyOpensItToo() {
        WindowFixture f;
        QVERIFY(prepare(f));
        ScanView* view = f.window.views().views()[0];
        view->widget()->setFocus();
        const QPoint centre = view->widget()->rect().center();
        QContextMenuEvent key(QContextMenuEvent::Keyboard, centre, view->widget()->mapToGlobal(centre));
        QCoreApplication::sendEvent(view->widget(), &key);
        QVERIFY(menuOf(*view));
        menuOf(*view)->close();
        // clicks on the background
        QTest::mouseClick(view->widget(), Qt::RightButton, {}, QPoint(3, view->widget()->height() - 3));
        QTRY_VERIFY(menuOf(*view));
        QVERIFY(!entry(menuOf(*view), "Copy Coordinates")->isEnabled());
        QVERIFY(!entry(menuOf(*view), "Centre Here")->isEnabled());
        QVERIFY(entry(menuOf(*view), "Copy View")->isEnabled());
        menuOf(*view)->close();
    }

    void viewMenuOffersActionsForThePoint() {
        WindowFixture f;
        QVERIFY(prepare(f));
        ScanView* view = f.window.views().views()[2];
        const auto pixel = pixelOfSomething(*view);
        QVERIFY(pixel);
        const Vec3d position = view->pick(*pixel)->position;
        const auto choose = [&](const char* name) {
            QTest::mouseClick(view->widget(), Qt::RightButton, {}, *pixel);
            QAction* action = entry(menuOf(*view), name);
            menuOf(*view)->close();
            action->trigger();
        };
        choose("Copy Coordinates");
        const QStringList numbers = QGuiApplication::clipboard()->text().split(' ');
        QCOMPARE(numbers.size(), 3);
        for (int axis = 0; axis < 3; ++axis)
            QVERIFY(std::abs(numbers[axis].toDouble() - position[axis]) < 1e-3);
        QVERIFY(f.window.messages().text().contains(numbers.join(' ')));

        f.window.messages().dismiss(); // without the message, the views have their previous height
        QTest::qWait(50);
        QVERIFY(f.waitForViews());
        const Camera before = f.window.camera().camera();
        choose("Centre Here");
        const Camera after = f.window.camera().camera();
        QVERIFY(norm(after.target - position) < 0.1);
        QVERIFY(norm((after.target - after.eye) - (before.target - before.eye)) < 1e-9);
        const QPointF middle = CameraFrame(after, view->widget()->size()).project(after.target);
        QVERIFY(QLineF(middle, QRectF(view->widget()->rect()).center()).length() < 2);

        QTest::mouseClick(view->widget(), Qt::RightButton, {}, *pixel);
        QTRY_VERIFY(menuOf(*view));
        QMenu* pictures = entry(menuOf(*view), "Show in Rasterized View")->menu();
        QVERIFY(entry(pictures, "Mesh")->isChecked());
        QAction* points = entry(pictures, "Points");
        menuOf(*view)->close();
        points->trigger();
        QVERIFY(f.waitForViews());
        QCOMPARE(int(f.snapshot()->resolved->show), int(PictureContent::points));
        QCOMPARE(int(f.window.parameters().recipe().show), int(PictureContent::points));
        // the change is a step of the history, like any other
        f.action("Undo Rasterized view: mesh → points")->trigger();
        QCOMPARE(int(f.window.parameters().recipe().show), int(PictureContent::mesh));
    }

    void aViewIsCopied() {
        WindowFixture f;
        QVERIFY(prepare(f));
        for (ScanView* view : f.window.views().views()) {
            view->widget()->setFocus();
            QTRY_VERIFY(view->widget()->hasFocus());
            QVERIFY(f.waitForViews());
            QGuiApplication::clipboard()->clear();
            const QSize size = view->widget()->size() * view->widget()->devicePixelRatio();
            QTest::keyClick(view->widget(), Qt::Key_C, Qt::ControlModifier);
            const QImage image = QGuiApplication::clipboard()->image();
            QCOMPARE(image.size(), size);
            // the view's content without the frame for the keyboard focus
            QVERIFY(image.pixelColor(0, size.height() / 2) != QColor(96, 156, 246));
            int differing = 0;
            for (int x = 0; x < size.width(); ++x)
                differing += image.pixel(x, size.height() / 2) != image.pixel(x, size.height() - 1);
            QVERIFY2(differing > size.width() / 4, qPrintable(view->title()));
            keepPicture(f.window, "copied");
            f.window.messages().dismiss();
            QTest::qWait(50);
        }
        // elsewhere the key copies the widget's own content
        QGuiApplication::clipboard()->setText("before");
        auto* table = f.window.findChild<QTableView*>();
        table->setFocus();
        QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QGuiApplication::clipboard()->image().isNull());
    }

    void aPictureOfAllViews_data() {
        QTest::addColumn<int>("layout");
        QTest::newRow("beside") << int(ViewLayout::beside);
        QTest::newRow("large") << int(ViewLayout::oneLarge);
        QTest::newRow("alone") << int(ViewLayout::alone);
    }
    void aPictureOfAllViews() {
        QFETCH(int, layout);
        WindowFixture f;
        QVERIFY(prepare(f));
        Recipe recipe = f.window.parameters().recipe();
        recipe.samples = 1; // a single sample suffices
        f.window.parameters().setRecipe(recipe);
        emit f.window.parameters().recipeChanged(recipe);
        f.window.views().arrange(ViewLayout(layout));
        QTest::qWait(50);
        QVERIFY(f.waitForRest());
        QTemporaryDir folder;
        const QString path = folder.filePath("all.png");
        const QSize area = f.window.views().size();
        QSize wanted;
        QTimer::singleShot(0, &f.window, [&] {
            auto* dialog = f.window.findChild<ExportDialog*>();
            dialog->choose(ExportDialog::What::picture);
            dialog->setPath(path);
            auto* content = dialog->picture()->findChild<QComboBox*>("content");
            content->setCurrentIndex(content->count() - 1);
            QCOMPARE(dialog->picture()->pixels(), area * f.window.devicePixelRatio());
            dialog->picture()->findChild<QSpinBox*>("image_width")->setValue(3 * area.width());
            wanted = dialog->picture()->pixels();
            keepPicture(*dialog, "export_all_views");
            dialog->accept();
        });
        QSignalSpy written(&f.window.jobs().exporter(), &ExportRunner::exported);
        f.action("Export…")->trigger();
        QVERIFY(written.count() > 0 || written.wait(60'000));
        const QImage image(path);
        QCOMPARE(image.size(), wanted);
        QVERIFY(std::abs(double(wanted.width()) / wanted.height() - double(area.width()) / area.height()) <
                0.01);
        if (const QString shots = qEnvironmentVariable("SCANLOUPE_SCREENSHOTS"); !shots.isEmpty())
            image.save(shots + QStringLiteral("/all_views_%1.png").arg(layout));
        // each view fills its panel, and was drawn at three times the resolution instead of being enlarged
        const ViewSheet sheet = f.window.views().sheet();
        QCOMPARE(sheet.panels.size(), std::size_t{3});
        for (const auto& panel : sheet.panels) {
            const QRect part =
                QRectF(panel.place.x() * image.width(), panel.place.y() * image.height(),
                       panel.place.width() * image.width(), panel.place.height() * image.height())
                    .toRect();
            const QImage cut = image.copy(part.adjusted(4, 4, -4, -4));
            int changes = 0, doubled = 0;
            for (int y = 0; y < cut.height(); y += 3)
                for (int x = 1; x + 1 < cut.width(); ++x) {
                    const bool changed = cut.pixel(x, y) != cut.pixel(x - 1, y);
                    changes += changed;
                    doubled += changed && cut.pixel(x, y) == cut.pixel(x + 1, y);
                }
            QVERIFY(changes > 1000);
            QVERIFY(doubled < changes / 2); // an enlarged copy would repeat most pixels
        }
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowViewMenu)
#include "test_window_view_menu.moc"
