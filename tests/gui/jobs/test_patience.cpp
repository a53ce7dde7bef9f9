// Waiting for jobs that may never end: the window stays responsive, and the user can stop waiting.
#include "engine/cloud/error.h"
#include "gui/controls/patience.h"
#include "tests/support/test_support.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QMessageBox>
#include <QPushButton>
#include <QTest>
#include <QTimer>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

using namespace scanloupe;
using namespace scanloupe::gui;

namespace {

const PatienceWords kWords{"Wait", "It takes <long>.", "Its disk may be slow.", "Leave"};

/// A task that blocks for at most a minute, like a disk that does not respond.
struct Held {
    std::shared_ptr<std::atomic<bool>> mayEnd = std::make_shared<std::atomic<bool>>(false);
    std::function<int()> read() const {
        return [mayEnd = mayEnd] {
            const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
            while (!*mayEnd && std::chrono::steady_clock::now() < end)
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
            return 7;
        };
    }
    ~Held() { *mayEnd = true; }
};

/// Runs `work` in the "please wait" dialog.
void inBox(QTimer& look, const std::function<void(QMessageBox*)>& work) {
    QObject::connect(&look, &QTimer::timeout, &look, [&look, work] {
        auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        if (!box)
            return;
        look.stop();
        work(box);
    });
    look.start(10);
}

} // namespace

class TestPatience : public QObject {
    Q_OBJECT

private slots:
    void finishedJobsReturnAtOnce() {
        int events = 0;
        QObject here; // posted events to this object are dropped when the function returns
        QTimer::singleShot(0, &here, [&] { ++events; });
        QWidget window;
        QVERIFY(readApart<int>(&window, kWords, [] { return 7; }) == 7);
        QCOMPARE(events, 0); // no other events of the window were processed
        QVERIFY_EXCEPTION_THROWN(
            readApart<int>(&window, kWords, []() -> int { throw EngineError("It is damaged.", "Mend it."); }),
            EngineError);
        QVERIFY(waitUntil(
                    &window, [] { return true; }, kWords) == Waited::done);
    }

    void slowJobsAreAwaited() {
        QWidget window;
        const Held held;
        QString text;
        QTimer look;
        inBox(look, [&](QMessageBox* box) {
            text = box->text();
            *held.mayEnd = true;
        });
        QVERIFY(readApart<int>(&window, kWords, held.read()) == 7);
        QCOMPARE(text, kWords.sentence);
        QVERIFY(!QApplication::activeModalWidget());
    }

    void unresponsiveJobsCanBeLeft() {
        QWidget window;
        QElapsedTimer time;
        time.start();
        for (const bool isCancelled : {true, false}) {
            const Held held;
            QTimer look;
            inBox(look, [&](QMessageBox* box) {
                QAbstractButton* button =
                    isCancelled ? box->button(QMessageBox::Cancel) : box->findChild<QPushButton*>("leave");
                QVERIFY(button);
                button->click();
            });
            QVERIFY(!readApart<int>(&window, kWords, held.read()));
        }
        QVERIFY(time.elapsed() < 30'000);
        for (const bool isCancelled : {true, false}) {
            QTimer look;
            inBox(look, [&](QMessageBox* box) {
                QAbstractButton* button =
                    isCancelled ? box->button(QMessageBox::Cancel) : box->findChild<QPushButton*>("leave");
                button->click();
            });
            QVERIFY(waitUntil(
                        &window, [] { return false; }, kWords) ==
                    (isCancelled ? Waited::cancelled : Waited::left));
        }
    }

    /// waitUntil() waits again if a job starts again, for example if a project is saved under another name
    /// after another program has replaced its file.
    void restartedJobsAreAwaitedAgain() {
        QWidget window;
        int boxes = 0;
        bool isDone = false;
        QTimer look;
        QObject::connect(&look, &QTimer::timeout, &look, [&] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (!box)
                return;
            ++boxes;
            if (boxes == 1)
                box->done(QMessageBox::Ok); // closes the box, as if the job were done for a moment
            else
                isDone = true;
        });
        look.start(10);
        QVERIFY(waitUntil(
                    &window, [&] { return isDone; }, kWords) == Waited::done);
        QVERIFY(boxes >= 2);
    }

    void ownersThatAreGoneGetNothing() {
        const Held held;
        bool isCalled = false;
        {
            QObject owner;
            startApart<int>(owner, held.read(), [&](int) { isCalled = true; });
        }
        *held.mayEnd = true;
        QTest::qWait(200);
        QVERIFY(!isCalled);
        int result = 0;
        startApart<int>(
            *this, [] { return 3; }, [&](int got) { result = got; });
        QTRY_COMPARE(result, 3);
    }
};

SCANLOUPE_TEST_IN(QApplication, TestPatience)
#include "test_patience.moc"
