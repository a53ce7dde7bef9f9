#pragma once
// Declares the table model of the files that are opened together.
#include "gui/jobs/playlist.h"

#include <QAbstractTableModel>

namespace scanloupe::gui {

/// The files that are opened together: name, and number of points once it is known. The shown one is bold;
/// unreadable ones are grey, with the reason as tool tip. Scans of one place have a check box that hides
/// them, and the colour of their class (kScanAttribute).
class ScanListModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { name, points, columns };

    explicit ScanListModel(Playlist& playlist, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void notifyAllChanged();
    bool hasCheckBox(const QModelIndex& index) const;

    Playlist& m_playlist;
    int m_rows = 0;
};

} // namespace scanloupe::gui
