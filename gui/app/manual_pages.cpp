// Reads the pages of the manual from the resources.
#include "gui/app/manual_pages.h"

#include "engine/recipe/parameters.h"
#include "gui/controls/icons.h"

#include <QFile>
#include <QRegularExpression>
#include <QStringList>
#include <QTextDocument>

namespace scanloupe::gui {

namespace {

QString plainNumber(double value) {
    return QString::number(value, 'g', 6);
}

QString entryOf(const Parameter& p) {
    const QString unit = p.unit.empty() ? QString()
                         : p.isLength() ? QStringLiteral(" in the scan's unit")
                                        : QStringLiteral(" ") + QString::fromStdString(p.unit);
    QString limits;
    if (p.kind == ParameterKind::real || p.kind == ParameterKind::integer)
        limits = QStringLiteral(" From %1 to %2%3.").arg(plainNumber(p.min), plainNumber(p.max), unit);
    return QStringLiteral("**%1** (`%2`). %3%4\n\n")
        .arg(QString::fromStdString(p.label), QString::fromStdString(p.key), QString::fromStdString(p.help),
             limits);
}

QString pageTitle(const QString& page) {
    return page.section(QLatin1Char('\n'), 0, 0).remove(0, 1).trimmed(); // "# Title"
}

} // namespace

QString manualPage(const QString& fileName) {
    applicationIcon(); // registers the resources
    QFile file(QStringLiteral(":/manual/") + fileName);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QString page = QString::fromUtf8(file.readAll());
    const QString mark = QStringLiteral("<!-- parameters -->");
    if (page.contains(mark)) {
        QString entries;
        for (const Parameter& p : parameters())
            entries += entryOf(p);
        page.replace(mark, entries);
    }
    // QTextDocument turns comments into empty paragraphs
    static const QRegularExpression comment(QStringLiteral("<!--.*?-->\\n?"));
    return page.remove(comment);
}

std::vector<ManualPage> manualPages() {
    const QString first = manualPage(QString::fromLatin1(kFirstManualPage));
    std::vector<ManualPage> pages{{QString::fromLatin1(kFirstManualPage), pageTitle(first)}};
    static const QRegularExpression link(QStringLiteral("\\]\\((\\w+\\.md)[)#]"));
    QStringList listed{pages.front().fileName};
    for (auto found = link.globalMatch(first); found.hasNext();) {
        const QString name = found.next().captured(1);
        if (listed.contains(name))
            continue;
        listed << name;
        pages.push_back({name, pageTitle(manualPage(name))});
    }
    return pages;
}

QString manualPlainText(const QString& fileName) {
    QTextDocument document;
    document.setMarkdown(manualPage(fileName));
    return document.toPlainText();
}

QString headingAnchor(const QString& heading) {
    QString anchor;
    for (const QChar c : heading.toLower())
        if (c.isLetterOrNumber() || c == QLatin1Char('-') || c == QLatin1Char('_'))
            anchor += c;
        else if (c == QLatin1Char(' '))
            anchor += QLatin1Char('-');
    return anchor;
}

} // namespace scanloupe::gui
