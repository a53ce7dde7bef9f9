// Shows the pages of the manual with their headings and a search.
#include "gui/app/manual_window.h"

#include "gui/app/find_bar.h"
#include "gui/app/manual_browser.h"
#include "gui/controls/cut_text_tips.h"
#include "gui/controls/fit_to_screen.h"
#include "gui/controls/icons.h"
#include "kernels/voxelize/core/voxel_strategy.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QShortcut>
#include <QSignalBlocker>
#include <QTextBlock>
#include <QVBoxLayout>

namespace scanloupe::gui {

namespace {

// data of an item of the contents: the file name of a page, or the block of a heading
constexpr int kPageRole = Qt::UserRole, kBlockRole = Qt::UserRole + 1;

} // namespace

ManualWindow::ManualWindow(QWidget* parent)
    : QWidget(parent, Qt::Window), m_pages(manualPages()), m_contents(new QListWidget),
      m_text(new ManualBrowser), m_find(new FindBar(*m_text)) {
    setWindowTitle(tr("Scanloupe manual"));
    setAttribute(Qt::WA_DeleteOnClose);
    resizeOnScreen(this, {940, 700});
    m_contents->setMaximumWidth(240);
    m_contents->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    showCutTexts(m_contents);
    m_contents->setAccessibleName(tr("Contents"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_contents);
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    column->addWidget(m_find);
    column->addWidget(m_text, 1);
    row->addLayout(column, 1);
    setTabOrder(m_find, m_text);
    addShortcut(QKeySequence::Find, [this] { m_find->open(); });
    addShortcut(Qt::Key_F3, [this] { m_find->next(); });
    addShortcut(Qt::SHIFT | Qt::Key_F3, [this] { m_find->previous(); });
    addShortcut(Qt::Key_Escape, [this] { m_find->isVisible() ? m_find->close() : void(close()); });
    m_find->setMatchesElsewhere([this](const QString& words) { return matchesElsewhere(words); });
    connect(m_find, &FindBar::pageRanOut, this, &ManualWindow::searchOtherPage);
    connect(m_contents, &QListWidget::currentItemChanged, this, &ManualWindow::onCurrentItem);
    connect(m_text, &QTextBrowser::sourceChanged, this, &ManualWindow::onSourceChanged);
    m_text->showPage(QString::fromLatin1(kFirstManualPage));
    m_text->setFocus();
}

void ManualWindow::addShortcut(const QKeySequence& keys, std::function<void()> action) {
    connect(new QShortcut(keys, this), &QShortcut::activated, this, std::move(action));
}

void ManualWindow::onSourceChanged() {
    if (!m_isSearching)
        m_find->close();
    listContents();
}

void ManualWindow::listContents() {
    const QSignalBlocker blocker(m_contents);
    m_contents->clear();
    for (const ManualPage& page : m_pages) {
        auto* item = new QListWidgetItem(page.title, m_contents);
        item->setData(kPageRole, page.fileName);
        if (page.fileName != m_text->page())
            continue;
        m_contents->setCurrentItem(item);
        QFont font = item->font();
        font.setBold(true);
        item->setFont(font);
        for (QTextBlock block = m_text->document()->begin(); block.isValid(); block = block.next()) {
            if (block.blockFormat().headingLevel() != 2)
                continue;
            auto* heading = new QListWidgetItem(QStringLiteral("    ") + block.text(), m_contents);
            heading->setData(kBlockRole, block.blockNumber());
        }
    }
}

void ManualWindow::onCurrentItem(const QListWidgetItem* item) {
    if (!item)
        return;
    if (const QString page = item->data(kPageRole).toString(); page.isEmpty())
        scrollTo(item->data(kBlockRole).toInt());
    else // deferred: showing the page replaces the list, which still uses the item
        QMetaObject::invokeMethod(
            this, [this, page] { m_text->showPage(page); }, Qt::QueuedConnection);
}

void ManualWindow::showParameter(const std::string& key) {
    m_text->showPage(QString::fromLatin1(kParameterManualPage));
    // the heading as manualPage() writes it
    const QString name = QStringLiteral(" (%1). ").arg(QString::fromStdString(key));
    for (QTextBlock block = m_text->document()->begin(); block.isValid(); block = block.next())
        if (block.text().contains(name))
            return scrollTo(block.blockNumber());
}

void ManualWindow::scrollTo(int block) {
    QTextCursor cursor(m_text->document()->findBlockByNumber(block));
    m_text->setTextCursor(cursor);
    m_text->verticalScrollBar()->setValue(m_text->verticalScrollBar()->value() + m_text->cursorRect().top() -
                                          8);
}

int ManualWindow::currentPage() const {
    for (int i = 0; i < int(m_pages.size()); ++i)
        if (m_pages[std::size_t(i)].fileName == m_text->page())
            return i;
    return 0;
}

int ManualWindow::matchesIn(int page, const QString& words) {
    if (m_texts.isEmpty())
        for (const ManualPage& one : m_pages)
            m_texts << manualPlainText(one.fileName);
    return words.isEmpty() ? 0 : int(m_texts[page].count(words, Qt::CaseInsensitive));
}

std::pair<int, int> ManualWindow::matchesElsewhere(const QString& words) {
    int before = 0, after = 0;
    const int current = currentPage();
    for (int i = 0; i < int(m_pages.size()); ++i)
        if (i != current)
            (i < current ? before : after) += matchesIn(i, words);
    return {before, after};
}

void ManualWindow::searchOtherPage(int by) {
    const int count = int(m_pages.size());
    for (int step = 1; step < count; ++step) {
        const int page = ((currentPage() + by * step) % count + count) % count;
        if (matchesIn(page, m_find->words()->text()) == 0)
            continue;
        const QScopedValueRollback searching(m_isSearching, true);
        m_text->showPage(m_pages[std::size_t(page)].fileName);
        return m_find->resume(by < 0);
    }
}

} // namespace scanloupe::gui
