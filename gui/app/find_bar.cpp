// Searches a text, or the pages that it belongs to, and marks all matches.
#include "gui/app/find_bar.h"

#include "gui/controls/icons.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QTextEdit>
#include <QToolButton>
#include <algorithm>
#include <tuple>

namespace scanloupe::gui {

FindBar::FindBar(QTextEdit& text, QWidget* parent)
    : QWidget(parent), m_text(text), m_words(new QLineEdit(this)), m_result(new QLabel(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(4);
    auto* label = new QLabel(tr("Find:"), this);
    label->setBuddy(m_words);
    m_words->setClearButtonEnabled(true);
    m_words->setAccessibleName(tr("Words to find"));
    row->addWidget(label);
    row->addWidget(m_words, 1);
    row->addWidget(m_result);
    const auto add = [&](const char* icon, const QString& tip, void (FindBar::*slot)()) {
        QToolButton* button = iconButton(QString::fromLatin1(icon), tip, this);
        button->setFocusPolicy(Qt::TabFocus);
        connect(button, &QToolButton::clicked, this, slot);
        row->addWidget(button);
    };
    add("previous", tr("Previous match (Shift+F3)"), &FindBar::previous);
    add("next", tr("Next match (Enter or F3)"), &FindBar::next);
    add("close", tr("Close the search (Esc)"), &FindBar::close);
    connect(m_words, &QLineEdit::textChanged, this, &FindBar::find);
    connect(m_words, &QLineEdit::returnPressed, this, &FindBar::next);
    m_result->setMinimumWidth(m_result->fontMetrics().horizontalAdvance(tr("%1 of %2").arg(999).arg(999)));
    hide();
}

void FindBar::open() {
    show();
    m_words->setFocus(Qt::ShortcutFocusReason);
    m_words->selectAll();
    find();
}

void FindBar::close() {
    hide();
    m_text.setExtraSelections({});
    m_text.setFocus();
}

QString FindBar::result() const {
    return m_result->text();
}

void FindBar::collectMatches() {
    m_matches.clear();
    const QString words = m_words->text();
    QTextDocument* document = m_text.document();
    if (!words.isEmpty())
        for (QTextCursor at = document->find(words, 0); !at.isNull(); at = document->find(words, at))
            m_matches.push_back(at);
    if (m_matchesElsewhere)
        std::tie(m_before, m_after) = m_matchesElsewhere(words);
}

void FindBar::find() {
    collectMatches();
    const int from = m_text.textCursor().selectionStart();
    const auto next =
        std::ranges::find_if(m_matches, [&](const QTextCursor& at) { return at.selectionStart() >= from; });
    m_current = next == m_matches.end() ? 0 : int(next - m_matches.begin());
    showMatch();
}

void FindBar::resume(bool atEnd) {
    collectMatches();
    m_current = atEnd ? std::max(0, int(m_matches.size()) - 1) : 0;
    showMatch();
}

void FindBar::step(int by) {
    if (isHidden()) // F3 before Ctrl+F
        return open();
    const int count = int(m_matches.size()), next = m_current + by;
    if ((count == 0 || next < 0 || next >= count) && m_before + m_after > 0) {
        emit pageRanOut(by);
        return;
    }
    if (count == 0)
        return;
    m_current = (next + count) % count;
    showMatch();
}

void FindBar::showMatch() {
    QList<QTextEdit::ExtraSelection> marks;
    for (const QTextCursor& match : m_matches) {
        QTextEdit::ExtraSelection mark;
        mark.cursor = match;
        mark.format.setBackground(QColor(0xff, 0xd7, 0x5e));
        mark.format.setForeground(Qt::black);
        marks << mark;
    }
    m_text.setExtraSelections(marks);
    if (m_matches.empty()) {
        m_result->setText(m_words->text().isEmpty() ? QString()
                          : m_before + m_after > 0  ? tr("%n on other pages", nullptr, m_before + m_after)
                                                    : tr("not found"));
        return;
    }
    m_text.setTextCursor(m_matches[std::size_t(m_current)]);
    m_text.ensureCursorVisible();
    m_result->setText(
        tr("%1 of %2").arg(m_before + m_current + 1).arg(m_before + int(m_matches.size()) + m_after));
}

} // namespace scanloupe::gui
