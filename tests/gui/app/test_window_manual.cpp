// The manual: all pages are listed and searched, links and pictures lead somewhere, keys and history work.
#include "engine/recipe/parameters.h"
#include "gui/app/find_bar.h"
#include "gui/app/manual_browser.h"
#include "gui/app/manual_window.h"
#include "tests/gui/app/window_fixture.h"

#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <QScrollBar>
#include <QTextBlock>
#include <cstdlib>
#include <set>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

/// The first link to a page, selected; null if there is none.
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

/// Scrolls to a link and clicks it. Returns the scroll position before the click.
int clickLink(QTextBrowser& text, QTextCursor link) {
    link.setPosition((link.selectionStart() + link.selectionEnd()) / 2);
    text.setTextCursor(link);
    text.ensureCursorVisible();
    const int place = text.verticalScrollBar()->value();
    QTest::mouseClick(text.viewport(), Qt::LeftButton, {}, text.cursorRect().center());
    return place;
}

/// Links of a page as written in its source, without links to other sites.
QStringList linksOf(const QTextDocument& document) {
    QStringList links;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        for (auto part = block.begin(); !part.atEnd(); ++part)
            if (const QString href = part.fragment().charFormat().anchorHref();
                !href.isEmpty() && !href.startsWith("http"))
                links << href;
    return links;
}

std::set<QString> anchorsOf(const QString& page) {
    QTextDocument document;
    document.setMarkdown(manualPage(page));
    std::set<QString> anchors;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        if (block.blockFormat().headingLevel() > 0)
            anchors.insert(headingAnchor(block.text()));
    return anchors;
}

/// The manual on the screen.
struct Manual {
    Manual() : window(new ManualWindow) {
        text = window->findChild<ManualBrowser*>();
        contents = window->findChild<QListWidget*>();
        find = window->findChild<FindBar*>();
        window->show();
    }
    Manual(const Manual&) = delete;
    ~Manual() { delete window; }
    bool isShown() const {
        window->activateWindow();
        return QTest::qWaitForWindowActive(window);
    }
    /// Selects the row of a page or of a heading.
    void choose(const QString& name) const {
        for (int row = 0; row < contents->count(); ++row)
            if (contents->item(row)->text().trimmed() == name)
                return contents->setCurrentRow(row);
        QFAIL(qPrintable("the contents have no " + name));
    }

    QPointer<ManualWindow> window;
    ManualBrowser* text;
    QListWidget* contents;
    FindBar* find;
};

} // namespace

class TestWindowManual : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;

private slots:
    void allPagesAreListed() {
        const auto pages = manualPages();
        std::set<QString> listed;
        for (const ManualPage& page : pages) {
            QVERIFY2(manualPage(page.fileName).startsWith("# " + page.title), qPrintable(page.fileName));
            QVERIFY2(!page.title.isEmpty() && listed.insert(page.fileName).second, qPrintable(page.fileName));
        }
        for (const QString& file : QDir(":/manual").entryList())
            QVERIFY2(listed.contains(file), qPrintable(file));
        const Manual manual;
        keepPicture(*manual.window, "manual");
        for (const ManualPage& page : pages) {
            manual.choose(page.title);
            QTRY_COMPARE(manual.text->page(), page.fileName);
            QCOMPARE(manual.contents->count(),
                     int(pages.size()) + int(manualPage(page.fileName).count("\n## ")));
            QCOMPARE(manual.contents->currentItem()->text(), page.title);
        }
    }

    void allParametersHaveEntries() {
        const Manual manual;
        for (const Parameter& p : parameters()) {
            manual.window->showParameter(p.key);
            const QString entry = manual.text->textCursor().block().text();
            QVERIFY2(entry.startsWith(QString::fromStdString(p.label)) &&
                         entry.contains(QString::fromStdString(p.key)),
                     p.key.c_str());
        }
        for (const ManualPage& page : manualPages())
            QVERIFY2(!manualPlainText(page.fileName).contains("<!--"), qPrintable(page.fileName));
        keepPicture(*manual.window, "manual_parameters");
    }

    void linksAndPicturesLeadSomewhere() {
        const Manual manual;
        int links = 0, pictures = 0;
        for (const ManualPage& page : manualPages()) {
            manual.text->showPage(page.fileName);
            for (const QString& link : linksOf(*manual.text->document())) {
                const QString target = link.section('#', 0, 0), anchor = link.section('#', 1);
                const QString file = target.isEmpty() ? page.fileName : target;
                const QString what = page.fileName + ": " + link;
                QVERIFY2(!manualPage(file).isEmpty(), qPrintable(what));
                QVERIFY2(anchor.isEmpty() || anchorsOf(file).contains(anchor), qPrintable(what));
                ++links;
            }
            for (const QTextFormat& format : manual.text->document()->allFormats())
                if (format.isImageFormat()) {
                    const QString name = format.toImageFormat().name();
                    const QVariant image = manual.text->loadResource(QTextDocument::ImageResource, name);
                    QVERIFY2(image.canConvert<QImage>(), qPrintable(page.fileName + ": " + name));
                    QVERIFY(image.value<QImage>().deviceIndependentSize().width() <= 600);
                    ++pictures;
                }
        }
        QVERIFY2(links > 30 && pictures > 5, qPrintable(QString("%1, %2").arg(links).arg(pictures)));
    }

    void aLinkLeadsToAHeading() {
        const Manual manual;
        QVERIFY(manual.isShown());
        manual.text->showPage("formats.md");
        clickLink(*manual.text, linkTo(*manual.text->document(), "command_line.md#exit-codes"));
        QTRY_COMPARE(manual.text->page(), QStringLiteral("command_line.md"));
        const QTextCursor top = manual.text->cursorForPosition({40, 12});
        QCOMPARE(top.block().text(), QStringLiteral("Exit codes"));
        manual.choose("JSON"); // selects a heading of the page
        QCOMPARE(manual.text->textCursor().block().text(), QStringLiteral("JSON"));
        keepPicture(*manual.window, "manual_heading");
    }

    void theSearchCoversAllPages() {
        const Manual manual;
        QVERIFY(manual.isShown());
        QTest::keyClick(manual.text, Qt::Key_F, Qt::ControlModifier);
        QVERIFY(manual.find->isVisible() && manual.find->words()->hasFocus());
        const QString words = "iso-value";
        int all = 0;
        for (const ManualPage& page : manualPages())
            all += int(manualPlainText(page.fileName).count(words, Qt::CaseInsensitive));
        QTest::keyClicks(manual.find->words(), words);
        QCOMPARE(manual.find->result(), QString("%1 on other pages").arg(all));
        QStringList pages;
        for (int i = 1; i <= all; ++i) {
            QTest::keyClick(manual.find->words(), Qt::Key_Return);
            QCOMPARE(manual.find->result(), QString("%1 of %2").arg(i).arg(all));
            QVERIFY(!manual.text->textCursor().selectedText().compare(words, Qt::CaseInsensitive));
            if (pages.isEmpty() || pages.back() != manual.text->page())
                pages << manual.text->page();
        }
        QVERIFY2(pages.size() > 3, qPrintable(pages.join(' ')));
        // each page is listed once
        QCOMPARE(int(std::set(pages.begin(), pages.end()).size()), int(pages.size()));
        QVERIFY(manual.find->isVisible());
        keepPicture(*manual.window, "manual_search");
        QTest::keyClick(manual.find->words(), Qt::Key_Return); // wraps from the last page to the first
        QCOMPARE(manual.find->result(), QString("1 of %1").arg(all));
        QTest::keyClick(manual.find->words(), Qt::Key_F3, Qt::ShiftModifier);
        QCOMPARE(manual.find->result(), QString("%1 of %1").arg(all));
        manual.find->words()->setText("no such words");
        QCOMPARE(manual.find->result(), QStringLiteral("not found"));
        const QPointer<ManualWindow> window = manual.window;
        QTest::keyClick(manual.find->words(), Qt::Key_Escape);
        QVERIFY(window->isVisible() && !manual.find->isVisible());
        QTest::keyClick(manual.text, Qt::Key_Escape);
        QVERIFY(QTest::qWaitFor([&] { return !window || !window->isVisible(); }));
    }

    void alternateKeysReturnToThePlace() {
        const Manual manual;
        QVERIFY(manual.isShown());
        manual.text->showPage("views.md");
        QVERIFY(!manual.text->toPlainText().contains("H200")); // timings are on a separate page
        const int place = clickLink(*manual.text, linkTo(*manual.text->document(), "performance.md"));
        QVERIFY(place > 0);
        QTRY_COMPARE(manual.text->page(), QStringLiteral("performance.md"));
        for (const char* words : {"Performance", "H200", "CUDA 13.0, 2026-11-22", "scanloupe-bench align"})
            QVERIFY2(manual.text->toPlainText().contains(words), words);
        QCOMPARE(manual.text->verticalScrollBar()->value(), 0);
        keepPicture(*manual.window, "manual_performance");
        QTest::keyClick(manual.text, Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(manual.text->page(), QStringLiteral("views.md"));
        // waits for the new layout of the text
        const int line = QFontMetrics(manual.text->font()).lineSpacing();
        const int back = manual.text->verticalScrollBar()->value();
        QVERIFY2(std::abs(back - place) <= line, qPrintable(QString("%1, not %2").arg(back).arg(place)));
        keepPicture(*manual.window, "manual_back");
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowManual)
#include "test_window_manual.moc"
