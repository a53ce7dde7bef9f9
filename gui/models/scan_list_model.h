#pragma once
// Declares the table model of the files that are opened together.
#include "gui/jobs/playlist.h"
#include "gui/models/table_model.h"

namespace scanloupe::gui {

/// The files that are opened together: name, and number of points once it is known. The shown one is bold;
/// unreadable ones are grey, with the reason as tool tip. Scans of one place have a check box that hides
/// them, and the colour of their class (kScanAttribute).
class ScanListModel : public TableModel {
    Q_OBJECT
public:
    enum Column { name, points, columns };

    explicit ScanListModel(Playlist& playlist, QObject* parent = nullptr);

    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    std::size_t rows() const override { return std::size_t(m_rows); }
    QVariant cell(std::size_t number, int column, int role) const override;
    void notifyAllChanged() {
        replace(true, [] {});
    }
    bool hasCheckBox(int row, int column) const;

    Playlist& m_playlist;
    int m_rows = 0;
};

} // namespace scanloupe::gui
