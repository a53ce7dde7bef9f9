// Editing by hand in the whole window: selecting with all tools, layers, undo, saving and exporting.
#include "engine/cloud/point_cloud.h"
#include "engine/edit/edit_list.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/writers.h"
#include "engine/project/project.h"
#include "gui/controllers/project_controller.h"
#include "gui/dialogs/edit_dialogs.h"
#include "gui/models/layer_model.h"
#include "gui/panels/edit_panel.h"
#include "gui/sliders/number_box.h"
#include "gui/tools/edit_tool.h"
#include "gui/views/scene/camera_frame.h"
#include "tests/gui/app/edit_fixture.h"
#include "tests/support/kept_documents.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QMenu>
#include <QTimer>
#include <functional>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

class TestWindowEdit : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_settings.emplace(); }

    void outlinesSelect() {
        EditFixture f;
        QVERIFY(f.prepare());
        const Camera camera = f.window.camera().camera();
        f.press(Qt::Key_R);
        QVERIFY(f.tool().kind() == EditToolKind::rectangle);
        f.dragThrough(1, {f.square(1, 40)[0], f.square(1, 40)[2]});
        QVERIFY(f.waitForRest());
        QCOMPARE(f.window.camera().camera(), camera); // drawing the outline did not orbit
        const std::uint64_t rectangle = f.chosen();
        QVERIFY(rectangle > 100);
        QVERIFY(f.window.editing().chosenText().contains(QLocale().toString(qulonglong(rectangle))));
        keepPicture(f.window, "edit_rectangle");
        // the same selection with a lasso and with a polygon, in another view
        f.press(Qt::Key_S);
        QList<QPoint> way = f.square(1, 40);
        f.dragThrough(1, way);
        QVERIFY(f.waitForRest());
        QCOMPARE(f.chosen(), rectangle);
        f.press(Qt::Key_S, Qt::ShiftModifier);
        for (const QPoint at : f.square(2, 40))
            QTest::mouseClick(f.view(2), Qt::LeftButton, {}, at);
        QTest::keyClick(f.view(2), Qt::Key_Return);
        QVERIFY(f.waitForRest());
        QVERIFY(std::abs(double(f.chosen()) / double(rectangle) - 1) <
                0.1); // the aspect ratio of this view differs
        // a selection subtracted from itself is empty, and its inverse selects everything
        for (const QPoint at : f.square(2, 40))
            QTest::mouseClick(f.view(2), Qt::LeftButton, Qt::ControlModifier, at);
        QTest::keyClick(f.view(2), Qt::Key_Return);
        QVERIFY(f.waitForRest());
        QCOMPARE(f.chosen(), 0u);
        f.action("Invert Selection")->trigger();
        QVERIFY(f.waitForRest());
        QCOMPARE(f.chosen(), f.snapshot()->cloud->size());
        QCOMPARE(f.edits().layers.size(), std::size_t(0));
        f.press(Qt::Key_Escape);
        QVERIFY(!f.tool().isActive());
        f.undo()->trigger();
        QVERIFY(f.waitForRest());
        QCOMPARE(f.chosen(), 0u);
    }

    void layersGoOverTheScan() {
        EditFixture f;
        QVERIFY(f.prepare());
        const std::uint64_t all = f.inRange();
        const SnapshotPtr first = f.snapshot();
        f.press(Qt::Key_R);
        f.dragThrough(1, {f.square(1, 40)[0], f.square(1, 40)[2]});
        QVERIFY(f.waitForRest());
        const std::uint64_t chosen = f.chosen();
        f.press(Qt::Key_Delete);
        QVERIFY(f.waitForRest());
        QCOMPARE(f.inRange(), all - chosen);
        QCOMPARE(f.chosen(), 0u);
        QCOMPARE(f.edits().layers.size(), std::size_t(1));
        keepPicture(f.window, "edit_deleted");
        LayerModel* model = f.window.editing().model();
        QVERIFY(model->data(model->index(0, 0), Qt::DisplayRole).toString().startsWith("Delete "));
        // a hidden layer has no effect; layers can be renamed
        model->setData(model->index(0, 0), Qt::Unchecked, Qt::CheckStateRole);
        QVERIFY(f.waitForRest());
        QCOMPARE(f.inRange(), all);
        model->setData(model->index(0, 0), Qt::Checked, Qt::CheckStateRole);
        model->setData(model->index(0, 0), "Cars", Qt::EditRole);
        QVERIFY(f.waitForRest());
        QCOMPARE(f.edits().layers.front()->name, std::string("Cars"));
        // a second layer that sets classes
        f.dragThrough(1, {f.square(1, 90)[0], f.square(1, 90)[2]});
        QVERIFY(f.waitForRest());
        const std::uint64_t around = f.chosen();
        f.inDialog([](QDialog* dialog) {
            auto* ask = qobject_cast<SetClassDialog*>(dialog);
            QVERIFY(ask);
            ask->choice()->setCurrentText("17 Bridge");
            ask->accept();
        });
        f.action("Set Class…")->trigger();
        QVERIFY(f.waitForRest());
        QCOMPARE(f.edits().layers.size(), std::size_t(2));
        f.inDialog([](QDialog* dialog) {
            auto* ask = qobject_cast<SelectByDialog*>(dialog);
            QVERIFY(ask);
            QCOMPARE(ask->quantity()->currentText(), QString("classification"));
            for (int row = 0; row < ask->classes()->count(); ++row)
                if (ask->classes()->item(row)->text().startsWith("17 "))
                    ask->classes()->item(row)->setCheckState(Qt::Checked);
            ask->accept();
        });
        f.action("By Class, Height, Attribute…")->trigger();
        QVERIFY(f.waitForRest());
        QCOMPARE(f.chosen(), around);
        // raises the lower layer: the class is now set before the points are deleted
        f.window.editing().list()->setCurrentIndex(model->index(1, 0));
        f.window.editing().raiseLayer();
        QVERIFY(f.waitForRest());
        QCOMPARE(f.edits().layers.back()->name, std::string("Cars"));
        QCOMPARE(f.chosen(), around);
        f.window.editing().removeLayer();
        QVERIFY(f.waitForRest());
        QCOMPARE(f.inRange(), all);
        // after undoing all steps, the picture is the first one again
        for (int step = 0; f.undo()->isEnabled() && step < 50; ++step)
            f.undo()->trigger();
        QVERIFY(f.waitForRest());
        QVERIFY(f.edits().empty());
        QVERIFY(
            std::ranges::equal(onHost(first->voxels).keys.span(), onHost(f.snapshot()->voxels).keys.span()));
    }

    void brushAndEraserGoOn() {
        EditFixture f;
        QVERIFY(f.prepare());
        const std::uint64_t all = f.inRange();
        f.press(Qt::Key_E);
        QVERIFY(f.tool().kind() == EditToolKind::eraser);
        const double radius = f.tool().radius();
        f.press(Qt::Key_BracketRight);
        f.press(Qt::Key_BracketRight);
        f.press(Qt::Key_BracketRight);
        QVERIFY(f.tool().radius() > 1.5 * radius);
        const QPoint at = f.middle(1);
        f.dragThrough(1, {at, at + QPoint(10, 0), at + QPoint(20, 3), at + QPoint(30, 0)});
        QVERIFY(f.waitForRest());
        const std::uint64_t erased = f.inRange();
        QVERIFY(erased < all);
        QCOMPARE(f.edits().layers.size(), std::size_t(1));
        // the drag is stored as one stroke
        QCOMPARE(f.edits().layers[0]->selection.steps.size(), std::size_t(1));
        QTest::mouseMove(f.view(1), at + QPoint(5, 5));
        QVERIFY(f.waitForViews());
        keepPicture(f.window, "edit_erased");
        // a straight stroke from the previous point, in the same layer
        QTest::mouseClick(f.view(1), Qt::LeftButton, Qt::ShiftModifier, at + QPoint(30, 40));
        QVERIFY(f.waitForRest());
        QVERIFY(f.inRange() < erased);
        QCOMPARE(f.edits().layers.size(), std::size_t(1));
        QCOMPARE(f.edits().layers[0]->selection.steps.size(), std::size_t(2));
        f.undo()->trigger();
        QVERIFY(f.waitForRest());
        QCOMPARE(f.inRange(), erased);
        f.undo()->trigger();
        QVERIFY(f.waitForRest());
        QCOMPARE(f.inRange(), all);
        // the brush selects
        f.press(Qt::Key_B);
        f.dragThrough(1, {at, at + QPoint(10, 0), at + QPoint(20, 3)});
        QVERIFY(f.waitForRest());
        const std::uint64_t chosen = f.chosen();
        QVERIFY(chosen > 0);
        f.dragThrough(1, {at, at + QPoint(10, 0), at + QPoint(20, 3)}, Qt::ControlModifier);
        QVERIFY(f.waitForRest());
        QCOMPARE(f.chosen(), 0u);
    }

    void strokesThatAreGivenUpLeaveNothing() {
        EditFixture f;
        QVERIFY(f.prepare());
        const std::uint64_t all = f.inRange();
        f.press(Qt::Key_E);
        const QPoint at = f.middle(1);
        const auto begin = [&] {
            QTest::mousePress(f.view(1), Qt::LeftButton, {}, at);
            QMouseEvent move(QEvent::MouseMove, QPointF(at + QPoint(20, 0)),
                             f.view(1)->mapToGlobal(QPointF(at + QPoint(20, 0))), Qt::NoButton,
                             Qt::LeftButton, {});
            QApplication::sendEvent(f.view(1), &move);
            return !f.edits().layers.empty();
        };
        QVERIFY(begin());
        f.press(Qt::Key_Escape); // Escape ends the stroke, but not the tool
        QVERIFY(f.tool().isActive());
        QVERIFY(f.edits().empty());
        QTest::mouseRelease(f.view(1), Qt::LeftButton, {}, at);
        QVERIFY(f.waitForRest());
        QCOMPARE(f.inRange(), all);
        QVERIFY(!f.undo()->isEnabled());
        // choosing another tool during a stroke discards the stroke; a following stroke is the only one
        QVERIFY(begin());
        f.press(Qt::Key_R);
        QTest::mouseRelease(f.view(1), Qt::LeftButton, {}, at);
        QVERIFY(f.edits().empty());
        f.press(Qt::Key_E);
        QTest::mouseClick(f.view(1), Qt::LeftButton, {}, at);
        QCOMPARE(f.edits().layers.size(), std::size_t(1));
        QCOMPARE(f.edits().layers[0]->selection.steps.size(), std::size_t(1));
        // the second click of a double click is a dab, too
        QTest::mouseDClick(f.view(1), Qt::LeftButton, {}, at + QPoint(30, 0));
        // the release that belongs to the press
        QTest::mouseRelease(f.view(1), Qt::LeftButton, {}, at + QPoint(30, 0));
        QVERIFY(f.waitForRest());
        QVERIFY(f.edits().layers[0]->selection.steps.size() >= 2);
        // undo in the middle of a stroke is final
        const std::size_t steps = f.edits().layers[0]->selection.steps.size();
        QTest::mousePress(f.view(1), Qt::LeftButton, {}, at + QPoint(-30, 0));
        f.undo()->trigger();
        QTest::mouseRelease(f.view(1), Qt::LeftButton, {}, at + QPoint(-30, 0));
        QVERIFY(f.waitForRest());
        QCOMPARE(f.edits().layers.size(), std::size_t(1));
        QCOMPARE(f.edits().layers[0]->selection.steps.size(), steps - 1);
        // another command or value cancels a stroke as well
        const std::size_t before = f.edits().layers[0]->selection.steps.size();
        QTest::mousePress(f.view(1), Qt::LeftButton, {}, at + QPoint(-30, 0));
        f.action("Invert Selection")->trigger();
        QTest::mouseRelease(f.view(1), Qt::LeftButton, {}, at + QPoint(-30, 0));
        QVERIFY(f.waitForRest());
        QCOMPARE(f.edits().layers[0]->selection.steps.size(), before);
        QCOMPARE(f.edits().selection.steps.size(), std::size_t(1));
        QTest::mousePress(f.view(1), Qt::LeftButton, {}, at + QPoint(-30, 0));
        Recipe larger = f.window.parameters().recipe();
        larger.pointSize += 1;
        emit f.window.parameters().recipeChanged(larger); // sends the same signal as the fields of the range
        QTest::mouseRelease(f.view(1), Qt::LeftButton, {}, at + QPoint(-30, 0));
        QVERIFY(f.waitForRest());
        QCOMPARE(f.edits().layers[0]->selection.steps.size(), before);
        QCOMPARE(f.window.parameters().recipe().pointSize, larger.pointSize);
        // a stroke keeps its initial radius
        f.tool().setRadius(0.5);
        QTest::mousePress(f.view(1), Qt::LeftButton, {}, at + QPoint(-30, 0));
        f.tool().setRadius(2);
        QTest::mouseRelease(f.view(1), Qt::LeftButton, {}, at + QPoint(-30, 0));
        QVERIFY(f.waitForRest());
        QCOMPARE(std::get<StrokeRegion>(*f.edits().layers[0]->selection.steps.back().region).radius, 0.5);
    }

    void polygonsEndWhenTheirViewMoves() {
        EditFixture f;
        QVERIFY(f.prepare());
        f.press(Qt::Key_S, Qt::ShiftModifier);
        QTest::mouseClick(f.view(1), Qt::LeftButton, {}, f.square(1, 40)[0]);
        QTest::mouseClick(f.view(1), Qt::LeftButton, {}, f.square(1, 40)[1]);
        f.window.camera().zoom(f.window.camera().camera().target, 0.8);
        QTest::mouseClick(f.view(1), Qt::LeftButton, {}, f.square(1, 40)[2]);
        QVERIFY(f.window.messages().isError());
        QTest::keyClick(f.view(1), Qt::Key_Return); // ends a polygon that has only one corner
        QVERIFY(f.edits().empty());
    }

    void picksSelectWhatBelongsTogether() {
        EditFixture f;
        QVERIFY(f.prepare());
        f.press(Qt::Key_J);
        QTest::mouseClick(f.view(1), Qt::LeftButton, {}, f.middle(1));
        QVERIFY(f.waitForRest());
        QVERIFY(f.chosen() > 0);
        f.inDialog([](QDialog* dialog) {
            qobject_cast<SetClassDialog*>(dialog)->choice()->setCurrentText("17 Bridge");
            dialog->accept();
        });
        f.action("Set Class…")->trigger();
        QVERIFY(f.waitForRest());
        f.press(Qt::Key_J, Qt::ShiftModifier);
        QTest::mouseClick(f.view(1), Qt::LeftButton, {}, f.middle(1));
        QTRY_VERIFY(std::holds_alternative<ClassRegion>(*f.edits().selection.steps.front().region));
        QVERIFY(f.waitForRest());
        QVERIFY(f.chosen() > 0);
        // stores the selection under a name, and selects it again
        f.inDialog([](QDialog* dialog) { dialog->accept(); });
        f.action("Store Selection…")->trigger();
        QCOMPARE(f.edits().named.size(), std::size_t(1));
        const std::uint64_t chosen = f.chosen();
        f.action("Deselect All")->trigger();
        QVERIFY(f.waitForRest());
        QCOMPARE(f.chosen(), 0u);
        // the action is in a menu that is filled when it opens
        QMenu* keptMenu = nullptr;
        for (QMenu* menu : f.window.findChildren<QMenu*>())
            if (menu->title().remove('&') == "Stored Selections")
                keptMenu = menu;
        for (int times = 0; times < 3; ++times) // each Ctrl+K emits this signal, too
            emit keptMenu->aboutToShow();
        QTRY_COMPARE(keptMenu->findChildren<QMenu*>().size(), 1);
        QAction* kept = f.action("Restore Selection");
        QVERIFY(kept);
        kept->trigger();
        QVERIFY(f.waitForRest());
        QCOMPARE(f.chosen(), chosen);
    }

    void formulasAreCheckedWhileTheyAreTyped() {
        EditFixture f;
        QVERIFY(f.prepare());
        f.inDialog([](QDialog* dialog) {
            auto* ask = qobject_cast<FormulaDialog*>(dialog);
            QVERIFY(ask);
            ask->formulaLine()->setText("hight > 2");
            QVERIFY(ask->problem().contains("unknown name 'hight'"));
            keepPicture(*ask, "edit_formula_wrong");
            ask->formulaLine()->setText("height > 2");
            QVERIFY(ask->problem().isEmpty());
            keepPicture(*ask, "edit_formula");
            ask->accept();
        });
        f.action("By Formula…")->trigger();
        QVERIFY(f.waitForRest());
        const std::uint64_t high = f.chosen();
        QVERIFY(high > 1000);
        f.inDialog([](QDialog* dialog) {
            auto* ask = qobject_cast<FormulaDialog*>(dialog);
            QVERIFY(ask);
            ask->nameLine()->setText("dim");
            ask->formulaLine()->setText("intensity < 0.3");
            ask->accept();
        });
        f.action("Compute Attribute…")->trigger();
        QVERIFY(f.waitForRest());
        QVERIFY(f.snapshot()->cloud->attribute("dim"));
        QCOMPARE(f.chosen(), high); // the points stay selected
        QCOMPARE(f.edits().layers.front()->name, std::string("dim = intensity < 0.3"));
        f.undo()->trigger();
        QVERIFY(f.waitForRest());
        QVERIFY(!f.snapshot()->cloud->attribute("dim"));
    }

    void dialogsRefuseBadNumbers() {
        MoveDialog dialog({0, 0, 1}, {}, LengthUnit::metre);
        dialog.show();
        dialog.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&dialog, 20'000));
        auto* move = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
        auto* problem = dialog.findChild<QLabel*>("numberProblem");
        NumberBox* box = dialog.offset(0);
        const auto type = [box](const char* text) {
            box->setFocus();
            box->selectAll();
            QTest::keyClicks(box, text);
        };
        type("1.2.3");
        QVERIFY(problem->isVisible());
        QVERIFY2(problem->text().contains("Along x") && problem->text().contains("1.2.3"),
                 qPrintable(problem->text()));
        QTest::mouseClick(move, Qt::LeftButton);
        QVERIFY(dialog.isVisible());
        QVERIFY(!move->isEnabled());
        // Enter restores the old value, and does not close the dialog
        QTest::keyClick(box, Qt::Key_Return);
        QVERIFY(dialog.isVisible());
        QCOMPARE(box->value(), 0.0);
        QVERIFY2(problem->text().contains("1.2.3"), qPrintable(problem->text()));
        type("1.5");
        QVERIFY(problem->text().isEmpty());
        QTest::keyClick(box, Qt::Key_Return);
        QVERIFY(!dialog.isVisible());
        QCOMPARE(dialog.result(), int(QDialog::Accepted));
        QCOMPARE(dialog.motion().translation[0], 1.5);
    }

    void dialogsRefuseBadClasses() {
        SetClassDialog set(PointCloud(FloatPositions{}, {}, {}));
        const auto* accept = set.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
        set.choice()->setCurrentText("2.7");
        QVERIFY(!accept->isEnabled());
        set.choice()->setCurrentText("64 Kerb");
        QVERIFY(accept->isEnabled());
        QCOMPARE(set.value(), std::int64_t{64});
    }

    void projectsKeepEdits() {
        EditFixture f;
        QTemporaryDir folder;
        const QString scan = folder.filePath("street.ply"), project = folder.filePath("street.scanloupe");
        QVERIFY(f.prepare());
        writeCloud(scan.toStdString(), *f.snapshot()->cloud, {}, {});
        f.window.open({scan});
        QVERIFY(f.waitForRest());
        f.window.camera().show(StandardView::top, 1);
        QVERIFY(f.waitForRest());
        f.press(Qt::Key_R);
        f.dragThrough(1, {f.square(1, 40)[0], f.square(1, 40)[2]});
        QVERIFY(f.waitForRest());
        f.press(Qt::Key_Delete);
        f.dragThrough(1, {f.square(1, 60)[0], f.square(1, 60)[2]});
        QVERIFY(f.waitForRest());
        const std::uint64_t left = f.inRange(), chosen = f.chosen();
        const Edits edits = f.edits();
        QVERIFY(f.window.project().saveProjectTo(project));
        keepDocument("project_edits.json", QString::fromUtf8(readAll(project)).toStdString());
        EditFixture again;
        again.window.open({project});
        QVERIFY(again.isShown() && again.waitForRest());
        QVERIFY(again.edits() == edits);
        QCOMPARE(again.inRange(), left);
        QCOMPARE(again.chosen(), chosen);
        QCOMPARE(again.window.editing().model()->rowCount(), 1);
        again.undo()->trigger();
        again.undo()->trigger();
        QVERIFY(again.waitForRest());
        QVERIFY(again.inRange() > left);
    }

private:
    static QByteArray readAll(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    std::optional<ScratchSettings> m_settings;
};

SCANLOUPE_TEST_IN(QApplication, TestWindowEdit)
#include "test_window_edit.moc"
