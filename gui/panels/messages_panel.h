#pragma once
// Declares the panel of messages: notes of runs and loads, and messages of the window.
#include "gui/base/snapshot_ptr.h"

#include <QMap>
#include <QPersistentModelIndex>
#include <QString>
#include <QWidget>

class QComboBox;
class QSortFilterProxyModel;
class QStandardItemModel;
class QTableView;

namespace scanloupe::gui {

/// Lists the warnings and notes of runs and loads, and the messages of the window, with time, level and
/// stage. The newest are last; of more than kRows, the oldest are removed.
class MessagesPanel : public QWidget {
    Q_OBJECT
public:
    enum class Level { note, warning, error };
    enum Column { time, level, stage, text, columns };
    static constexpr int kRows = 2000;

    explicit MessagesPanel(QWidget* parent = nullptr);
    QTableView* table() const { return m_table; }
    /// Selects the lowest level that is shown.
    QComboBox* filter() const { return m_filter; }

public slots:
    /// Adds a message of the window. It replaces the last message if only its numbers differ.
    void addMessage(bool isError, const QString& sentence);
    /// Adds a message of a reader.
    void addLoad(const QString& sentence);
    /// Adds the notes of a run, but for previews. A note of the last run that was the same stays; one of
    /// which only the numbers differ is replaced.
    void addRun(const scanloupe::gui::SnapshotPtr& run);
    /// Another scan is shown: the notes of its runs replace none.
    void beginScan();
    /// Copies the shown rows, a line each.
    void copy();
    void clear();

private:
    struct Row {
        QString text;
        QPersistentModelIndex index; ///< in m_rows; invalid after the row was removed
    };
    /// Adds a row; `replaced` is removed.
    Row add(Level level, const QString& stage, const QString& text, const Row& replaced = {});

    QStandardItemModel* m_rows;
    QSortFilterProxyModel* m_shown;
    QTableView* m_table;
    QComboBox* m_filter;
    QMap<QString, Row> m_ofRun; ///< notes of the last run, by their text without numbers
    Row m_ofWindow;             ///< last message of the window
};

} // namespace scanloupe::gui
