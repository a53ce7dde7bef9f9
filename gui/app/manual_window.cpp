// Shows the pages of the manual with their headings and a search.
#include "gui/app/manual_window.h"

#include "engine/recipe/parameters.h"
#include "gui/app/find_bar.h"
#include "gui/controls/cut_text_tips.h"
#include "gui/controls/fit_to_screen.h"
#include "gui/controls/icons.h"

#include <QFile>
#include <QHBoxLayout>
#include <QListWidget>
#include <QScrollBar>
#include <QShortcut>
#include <QTextBlock>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

namespace scanloupe::gui {

namespace {

QString plainNumber(double value) {
    return QString::number(value, 'g', 6);
}

QString entryOf(const Parameter& p) {
    const QString unit = p.unit.empty() ? QString()
                         : p.isLength() ? ManualWindow::tr(" in the scan's unit")
                                        : QStringLiteral(" ") + QString::fromStdString(p.unit);
    QString limits;
    if (p.kind == ParameterKind::real || p.kind == ParameterKind::integer)
        limits = ManualWindow::tr(" From %1 to %2%3.").arg(plainNumber(p.min), plainNumber(p.max), unit);
    return QStringLiteral("**%1** (`%2`). %3%4\n\n")
        .arg(QString::fromStdString(p.label), QString::fromStdString(p.key), QString::fromStdString(p.help),
             limits);
}

/// Loads the manual's pages by their URL, and so gives them QTextBrowser's links and history.
class ManualBrowser : public QTextBrowser {
public:
    QVariant loadResource(int type, const QUrl& url) override {
        if (type == QTextDocument::MarkdownResource)
            return manualPage(url.fileName());
        return QTextBrowser::loadResource(type, url);
    }
};

} // namespace

QString manualPage(const QString& fileName) {
    applicationIcon(); // registers the resources
    QFile file(QStringLiteral(":/manual/") + fileName);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QString entries;
    for (const Parameter& p : parameters())
        entries += entryOf(p);
    return QString::fromUtf8(file.readAll()).replace(QStringLiteral("<!-- parameters -->"), entries);
}

ManualWindow::ManualWindow(QWidget* parent)
    : QWidget(parent, Qt::Window), m_headings(new QListWidget), m_text(new ManualBrowser),
      m_find(new FindBar(*m_text)) {
    setWindowTitle(tr("Scanloupe manual"));
    setAttribute(Qt::WA_DeleteOnClose);
    resizeOnScreen(this, {880, 680});
    m_headings->setMaximumWidth(220);
    m_headings->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    showCutTexts(m_headings);
    m_headings->setAccessibleName(tr("Chapters"));
    m_text->document()->setDocumentMargin(16);
    m_text->setOpenExternalLinks(true);
    m_text->setSource(QUrl(QStringLiteral("qrc:/manual/manual.md")));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_headings);
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    column->addWidget(m_find);
    column->addWidget(m_text, 1);
    row->addLayout(column, 1);
    setTabOrder(m_find, m_text);
    listHeadings();
    addShortcut(QKeySequence::Find, [this] { m_find->open(); });
    addShortcut(Qt::Key_F3, [this] { m_find->next(); });
    addShortcut(Qt::SHIFT | Qt::Key_F3, [this] { m_find->previous(); });
    addShortcut(Qt::Key_Escape, [this] { m_find->isVisible() ? m_find->close() : void(close()); });
    m_text->setFocus();
    connect(m_headings, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        if (item)
            scrollTo(item->data(Qt::UserRole).toInt());
    });
    connect(m_text, &QTextBrowser::sourceChanged, this, [this] {
        m_find->close(); // its matches were of the page before
        listHeadings();
    });
}

void ManualWindow::addShortcut(const QKeySequence& keys, std::function<void()> action) {
    connect(new QShortcut(keys, this), &QShortcut::activated, this, std::move(action));
}

void ManualWindow::listHeadings() {
    m_headings->clear();
    for (QTextBlock block = m_text->document()->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() != 2)
            continue;
        auto* item = new QListWidgetItem(block.text(), m_headings);
        item->setData(Qt::UserRole, block.blockNumber());
    }
}

void ManualWindow::showParameter(const std::string& key) {
    const QUrl first(QStringLiteral("qrc:/manual/manual.md"));
    if (m_text->source() != first)
        m_text->setSource(first);
    // as entryOf() writes it
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

} // namespace scanloupe::gui
