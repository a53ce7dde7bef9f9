// A small screen and the keyboard alone: docks stay usable, the focus is seen, the manual can be searched,
// and its pages are reached.
#include "gui/app/find_bar.h"
#include "gui/app/manual_window.h"
#include "gui/panels/data_panel.h"
#include "gui/panels/parameters/parameter_rows.h"
#include "gui/views/surface/view_overlay.h"
#include "tests/gui/app/window_fixture.h"

#include <QApplication>
#include <QDockWidget>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollArea>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextBrowser>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

constexpr int kUsable = 180; // pixels that a dock of a label and a value needs

/// How many pixels of a view's border have the colour of the focus.
double framedShare(const QImage& image) {
    const QRgb colour = focusColour().rgb();
    int framed = 0;
    for (int x = 0; x < image.width(); ++x)
        framed += (image.pixel(x, 0) == colour) + (image.pixel(x, image.height() - 1) == colour);
    return framed / (2.0 * image.width());
}

/// The first link to a page, selected; null where there is none.
QTextCursor linkTo(QTextDocument& document, const QString& page) {
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        for (auto part = block.begin(); !part.atEnd(); ++part)
            if (part.fragment().charFormat().anchorHref() == page) {
                QTextCursor link(&document);
                link.setPosition(part.fragment().position());
                link.setPosition(link.position() + part.fragment().length(), QTextCursor::KeepAnchor);
                return link;
            }
    return {};
}

/// Scrolls to a link and clicks it. Returns where the text was scrolled to.
int clickOn(QTextBrowser& text, QTextCursor link) {
    link.setPosition((link.selectionStart() + link.selectionEnd()) / 2);
    text.setTextCursor(link);
    text.ensureCursorVisible();
    const int place = text.verticalScrollBar()->value();
    QTest::mouseClick(text.viewport(), Qt::LeftButton, {}, text.cursorRect().center());
    return place;
}

} // namespace

class TestWindowSmall : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;

    static int dataWidth(WindowFixture& f) { return f.child<QDockWidget>("data")->width(); }

    /// Which docks reach beyond the window.
    static QString cutOff(WindowFixture& f) {
        QString names;
        for (QDockWidget* dock : f.window.findChildren<QDockWidget*>())
            if (!dock->visibleRegion().isEmpty() && !f.window.rect().contains(dock->geometry()))
                names += QString("%1 to %2 ").arg(dock->objectName()).arg(dock->geometry().right());
        return names;
    }

private slots:
    void theEmptyWindowFitsASmallScreen() {
        QSettings().setValue("recentFiles",
                             QStringList{"/scans/a/long/way/to/a/street/with/a/long/name.las"});
        WindowFixture f({800, 600});
        QVERIFY(f.isShown());
        QVERIFY(f.action("/scans/a/long/way/to/a/street/with/a/long/name.las")); // whether it exists or not
        f.window.resize(800, 600);
        QTest::qWait(300);
        QCOMPARE(f.window.size(), QSize(800, 600));
        QVERIFY2(cutOff(f).isEmpty(), qPrintable(cutOff(f)));
        QVERIFY(dataWidth(f) >= kUsable);
        keepPicture(f.window, "small_empty");
        f.window.resize(1400, 900);
        QTest::qWait(300);
        keepPicture(f.window, "large_empty");
    }

    void docksStayUsableOnASmallScreen() {
        {
            WindowFixture f({1400, 900});
            QVERIFY(f.isShown());
            f.openSample();
            QVERIFY(f.waitForViews());
            const int before = dataWidth(f);
            f.window.resize(800, 600);
            QVERIFY2(QTest::qWaitFor([&] { return f.window.size() == QSize(800, 600); }, 5000),
                     qPrintable(QString("%1 x %2").arg(f.window.width()).arg(f.window.height())));
            QTest::qWait(300);
            keepPicture(f.window, "small");
            QVERIFY2(dataWidth(f) >= kUsable, qPrintable(QString::number(dataWidth(f))));
            QVERIFY2(cutOff(f).isEmpty(), qPrintable(cutOff(f)));
            for (ScanView* view : f.window.views().views())
                QVERIFY(view->widget()->isVisible() && view->widget()->width() >= 60);
            f.window.resize(1400, 900);
            QTest::qWait(300);
            keepPicture(f.window, "enlarged");
            QVERIFY2(dataWidth(f) >= before - 10,
                     qPrintable(QString("%1 of %2").arg(dataWidth(f)).arg(before)));
            f.window.resize(800, 600);
            QTest::qWait(300);
            f.window.close();
        }
        WindowFixture again({1400, 900});
        QVERIFY(again.isShown());
        again.window.resize(1400, 900);
        QTest::qWait(300);
        QVERIFY2(dataWidth(again) >= kUsable, qPrintable(QString::number(dataWidth(again))));
    }

    void tabbingScrollsNothingSideways() {
        SCANLOUPE_REAL_SCAN(path, "las/laspy_vegetation_1_3.las");
        WindowFixture f({800, 600});
        QVERIFY(f.isShown());
        f.window.activateWindow();
        f.open(path);
        QVERIFY(f.waitForViews());
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        for (int i = 0; i < 120; ++i) {
            QTest::keyClick(f.window.focusWidget() ? f.window.focusWidget() : &f.window, Qt::Key_Tab);
            for (QScrollArea* area : f.window.findChildren<QScrollArea*>())
                QVERIFY2(area->horizontalScrollBar()->value() == 0,
                         QApplication::focusWidget() ? QApplication::focusWidget()->metaObject()->className()
                                                     : "");
        }
    }

    void theViewWithTheKeysIsFramed() {
        WindowFixture f({1200, 700});
        QVERIFY(f.isShown());
        f.window.activateWindow();
        f.openSample();
        QVERIFY(f.waitForViews());
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        for (ScanView* view : f.window.views().views()) {
            view->widget()->setFocus(Qt::TabFocusReason);
            for (ScanView* other : f.window.views().views()) {
                const bool focused = other == view;
                const auto framed = [&] { return framedShare(other->widget()->grab().toImage()); };
                QVERIFY2(QTest::qWaitFor([&] { return focused ? framed() > 0.95 : framed() < 0.05; }, 5000),
                         qPrintable(QString("%1: %2").arg(other->title()).arg(framed())));
            }
        }
        keepPicture(f.window, "focused_view");
    }

    void theManualIsSearchedAndClosedByKeys() {
        WindowFixture f;
        QVERIFY(f.isShown());
        f.action("Manual")->trigger();
        QPointer<ManualWindow> manual = f.window.findChild<ManualWindow*>();
        QVERIFY(manual);
        manual->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(manual));
        auto* text = manual->findChild<QTextBrowser*>();
        auto* find = manual->findChild<FindBar*>();
        QVERIFY(find && !find->isVisible());
        QTest::keyClick(text, Qt::Key_F, Qt::ControlModifier);
        QVERIFY(find->isVisible() && find->words()->hasFocus());
        QTest::keyClicks(find->words(), "iso-value");
        QVERIFY2(find->result().startsWith("1 of "), qPrintable(find->result()));
        QVERIFY(!text->textCursor().selectedText().compare("iso-value", Qt::CaseInsensitive));
        const int first = text->textCursor().position();
        keepPicture(*manual, "manual_search");
        QTest::keyClick(find->words(), Qt::Key_Return);
        QVERIFY(text->textCursor().position() > first);
        QVERIFY2(find->result().startsWith("2 of "), qPrintable(find->result()));
        QTest::keyClick(find->words(), Qt::Key_F3, Qt::ShiftModifier);
        QCOMPARE(text->textCursor().position(), first);
        QTest::keyClick(find->words(), Qt::Key_F3, Qt::ShiftModifier); // round, from the other end
        QVERIFY(text->textCursor().position() > first);
        find->words()->setText("no such words");
        QCOMPARE(find->result(), QStringLiteral("not found"));
        QTest::keyClick(find->words(), Qt::Key_Escape);
        QVERIFY(manual && manual->isVisible() && !find->isVisible());
        QTest::keyClick(text, Qt::Key_Escape);
        QVERIFY(QTest::qWaitFor([&] { return !manual || !manual->isVisible(); }));
    }

    void thePerformancePageIsReachedByItsLink() {
        WindowFixture f;
        QVERIFY(f.isShown());
        f.action("Manual")->trigger();
        auto* manual = f.window.findChild<ManualWindow*>();
        QVERIFY(manual && QTest::qWaitForWindowExposed(manual));
        auto* text = manual->findChild<QTextBrowser*>();
        auto* chapters = manual->findChild<QListWidget*>();
        auto* find = manual->findChild<FindBar*>();
        QVERIFY(!text->toPlainText().contains("H200")); // timings have their own page
        const int manualChapters = chapters->count();
        find->words()->setText("Performance");
        find->open();
        QCoreApplication::processEvents(); // lays out the text below the bar
        QTextCursor link = linkTo(*text->document(), "performance.md");
        QVERIFY(!link.isNull());
        const int place = clickOn(*text, link);
        QTRY_COMPARE(text->source().fileName(), QStringLiteral("performance.md"));
        for (const char* words : {"Performance", "H200", "CUDA 13.0, 2026-11-22", "scanloupe-bench align"})
            QVERIFY2(text->toPlainText().contains(words), words);
        QCOMPARE(chapters->count(), text->toMarkdown().count("\n## "));
        QCOMPARE(text->verticalScrollBar()->value(), 0);
        QVERIFY(!find->isVisible());
        QCoreApplication::processEvents(); // gives the bar's place to the text
        keepPicture(*manual, "manual_performance");
        chapters->setCurrentRow(chapters->count() - 1);
        QVERIFY(text->verticalScrollBar()->value() > 0);
        keepPicture(*manual, "manual_performance_end");
        find->words()->setText("gyroid");
        find->open();
        QVERIFY2(find->result().startsWith("1 of "), qPrintable(find->result()));

        QTest::keyClick(text, Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(text->source().fileName(), QStringLiteral("manual.md"));
        const int line = QFontMetrics(text->font()).lineSpacing(); // the text is laid out anew
        QVERIFY2(std::abs(text->verticalScrollBar()->value() - place) <= line,
                 qPrintable(QString("%1, not %2").arg(text->verticalScrollBar()->value()).arg(place)));
        QCOMPARE(chapters->count(), manualChapters);
        keepPicture(*manual, "manual_back");
        clickOn(*text, linkTo(*text->document(), "performance.md"));
        QTRY_COMPARE(text->source().fileName(), QStringLiteral("performance.md"));
        clickOn(*text, linkTo(*text->document(), "manual.md"));
        QTRY_COMPARE(text->source().fileName(), QStringLiteral("manual.md"));
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowSmall)
#include "test_window_small.moc"
