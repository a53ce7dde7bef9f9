#pragma once
// The whole window with its editing tools, as driven by tests.
#include "engine/results/chosen_points.h"
#include "engine/results/snapshot.h"
#include "gui/tools/edit_tool.h"
#include "tests/gui/app/window_fixture.h"

#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>
#include <functional>

namespace scanloupe::test {

/// Screen pictures: keepPicture().
class EditFixture : public WindowFixture {
public:
    using WindowFixture::WindowFixture;

    bool prepare() {
        openSample();
        window.activateWindow();
        if (!isShown() || !QTest::qWaitForWindowActive(&window, 20'000) || !waitForRest())
            return false;
        window.camera().show(gui::StandardView::top, 1);
        return waitForRest();
    }
    QAction* undo() {
        for (QAction* action : window.findChildren<QAction*>())
            if (action->text().remove(QLatin1Char('&')).startsWith(QLatin1String("Undo")))
                return action;
        return nullptr;
    }
    const Edits& edits() { return window.parameters().recipe().edits; }
    QWidget* view(int i) { return window.views().views()[std::size_t(i)]->widget(); }
    gui::EditTool& tool() { return window.editTool(); }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(view(1), key, modifiers);
    }
    void dragThrough(int v, const QList<QPoint>& way, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mousePress(view(v), Qt::LeftButton, modifiers, way.front());
        for (const QPoint at : way) {
            QMouseEvent move(QEvent::MouseMove, QPointF(at), view(v)->mapToGlobal(QPointF(at)), Qt::NoButton,
                             Qt::LeftButton, modifiers);
            QApplication::sendEvent(view(v), &move);
        }
        QTest::mouseRelease(view(v), Qt::LeftButton, modifiers, way.back());
    }
    QPoint middle(int v) { return view(v)->rect().center(); }
    /// Corners of a square about the middle of a view.
    QList<QPoint> square(int v, int half) {
        const QPoint at = middle(v);
        return {at + QPoint(-half, -half), at + QPoint(half, -half), at + QPoint(half, half),
                at + QPoint(-half, half)};
    }
    std::uint64_t chosen() { return snapshot()->chosen ? snapshot()->chosen->count : 0; }
    std::uint64_t inRange() { return snapshot()->voxels->stats.pointsInRange; }
    /// Runs `work` in the next dialog that opens.
    void inDialog(std::function<void(QDialog*)> work) {
        QTimer::singleShot(0, &window, [this, work = std::move(work)] {
            if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget()))
                work(dialog);
            else
                inDialog(work);
        });
    }
    /// Answers the next question with No, e.g. whether to replace a file, and cancels the dialog after it.
    /// @param text of the question
    void refuse(QString& text) {
        QTimer::singleShot(0, &window, [this, &text] {
            auto* question = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (!question)
                return refuse(text);
            text = question->text();
            question->button(QMessageBox::Cancel)->click();
            inDialog([](QDialog* files) { files->reject(); });
        });
    }
    /// Completes a dialog for saving a file.
    void saveTo(const QString& path) {
        inDialog([path](QDialog* dialog) {
            auto* ask = qobject_cast<QFileDialog*>(dialog);
            QVERIFY(ask);
            ask->selectFile(path);
            ask->findChild<QLineEdit*>("fileNameEdit")->setText(path);
            QMetaObject::invokeMethod(ask, "accept");
        });
    }
};

} // namespace scanloupe::test
