// Searches the window's commands by words.
#include "gui/models/command_model.h"

#include <QGuiApplication>
#include <QPalette>
#include <algorithm>
#include <numeric>

namespace scanloupe::gui {

namespace {

// costs of a word of the query, by the kind of match
constexpr int kBegin = 0, kPart = 2, kLetters = 6;
constexpr int kInPath = 3; // cost added if only the path has the word

/// Whether the letters of `word` occur in `text` in their order.
bool hasLetters(const QString& text, const QString& word) {
    qsizetype at = 0;
    for (const QChar letter : word) {
        at = text.indexOf(letter, at);
        if (at < 0)
            return false;
        ++at;
    }
    return true;
}

int costIn(const QString& text, const QString& word) {
    const qsizetype at = text.indexOf(word);
    for (qsizetype from = at; from >= 0; from = text.indexOf(word, from + 1))
        if (from == 0 || !text[from - 1].isLetterOrNumber())
            return kBegin;
    if (at >= 0)
        return kPart;
    return word.size() > 1 && hasLetters(text, word) ? kLetters : -1;
}

} // namespace

QString plainText(const QString& menuText) {
    QString text;
    for (qsizetype i = 0; i < menuText.size(); ++i) {
        if (menuText[i] == QLatin1Char('&') && ++i == menuText.size())
            break;
        text += menuText[i];
    }
    if (text.endsWith(QChar(0x2026)))
        text.chop(1);
    return text;
}

int matchCost(const Command& command, const QString& query) {
    const QString name = command.name.toCaseFolded(), path = command.path.toCaseFolded();
    int cost = 0;
    for (const QString& word : query.toCaseFolded().split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const int own = costIn(name, word), above = costIn(path, word);
        if (own < 0 && above < 0)
            return -1;
        cost += own < 0 ? above + kInPath : above < 0 ? own : std::min(own, above + kInPath);
    }
    return cost;
}

CommandModel::CommandModel(std::vector<Command> commands, QObject* parent)
    : TableModel(QStringList(columns), parent), m_commands(std::move(commands)), m_rows(m_commands.size()) {
    std::iota(m_rows.begin(), m_rows.end(), std::size_t{0});
}

void CommandModel::setQuery(const QString& query) {
    std::vector<int> costs;
    for (const Command& command : m_commands)
        costs.push_back(matchCost(command, query));
    replace(false, [&] {
        m_rows.clear();
        for (std::size_t i = 0; i < costs.size(); ++i)
            if (costs[i] >= 0)
                m_rows.push_back(i);
        std::ranges::stable_sort(m_rows, {}, [&](std::size_t command) { return costs[command]; });
    });
}

QVariant CommandModel::cell(std::size_t row, int column, int role) const {
    const Command& command = m_commands[m_rows[row]];
    switch (role) {
    case Qt::DisplayRole:
        if (column == name)
            return command.checked ? QStringLiteral("✓ ") + command.name : command.name;
        return column == path ? command.path : command.keys;
    case Qt::ForegroundRole:
        if (!command.enabled || column == path)
            return QGuiApplication::palette().brush(QPalette::Disabled, QPalette::Text);
        return {};
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1, %2 %3").arg(command.name, command.path, command.keys);
    default:
        return {};
    }
}

Qt::ItemFlags CommandModel::flags(const QModelIndex& index) const {
    if (!index.isValid())
        return Qt::NoItemFlags;
    return m_commands[commandOf(index.row())].enabled ? Qt::ItemIsEnabled | Qt::ItemIsSelectable
                                                      : Qt::NoItemFlags;
}

} // namespace scanloupe::gui
