#pragma once
// Declares the searchable table of the window's commands.
#include "gui/models/table_model.h"

#include <QString>
#include <vector>

namespace scanloupe::gui {

/// A menu command as the palette lists it.
struct Command {
    QString name; ///< without mnemonics and dots
    QString path; ///< the menus that lead to it: "View › Layout"
    QString keys; ///< "Ctrl+E", several separated by commas
    bool enabled = true;
    bool checked = false; ///< for checkable commands: currently on
    bool operator==(const Command&) const = default;
};

/// Menu texts without mnemonics, and without the dots that announce a dialog.
QString plainText(const QString& menuText);

/// How well a command matches the words of a query, which may come in any order: 0 is best. -1: not at all. A
/// word matches the begin of a word best, then a part of one, then letters in their order ("cpv" finds "Copy
/// View"); in the path it counts less than in the name.
int matchCost(const Command& command, const QString& query);

/// The commands that match a query, the best first; without a query all of them in their order. Disabled
/// commands are grey, and cannot be selected.
class CommandModel : public TableModel {
    Q_OBJECT
public:
    enum Column { name, path, keys, columns };

    explicit CommandModel(std::vector<Command> commands, QObject* parent = nullptr);

    void setQuery(const QString& query);
    /// Index of a row's command in the list that was passed in.
    std::size_t commandOf(int row) const { return m_rows.at(std::size_t(row)); }

    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    std::size_t rows() const override { return m_rows.size(); }
    QVariant cell(std::size_t row, int column, int role) const override;

    std::vector<Command> m_commands;
    std::vector<std::size_t> m_rows; ///< commands that match
};

} // namespace scanloupe::gui
