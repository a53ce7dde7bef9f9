#pragma once
// Declares the dialog in which pairs of places of the scan and of its reference are clicked.
#include "engine/cloud/reference/length_unit.h"
#include "engine/inspect/fit/absolute_orientation.h"
#include "gui/base/snapshot_ptr.h"
#include "gui/views/view_context.h"

#include <QDialog>
#include <optional>
#include <vector>

class QCheckBox;
class QLabel;
class QPushButton;
class QStandardItemModel;
class QTableView;

namespace scanloupe::gui {

class PickPane;

/// Shows the scan and its reference next to each other. A click sets the point of the selected pair, or of
/// the first pair that lacks a point in that picture; with three or more pairs, the motion that aligns them
/// is computed.
class PairsDialog : public QDialog {
    Q_OBJECT
public:
    /// @param shown results with a cloud and a reference; @param context of the window, which outlives this
    PairsDialog(const SnapshotPtr& shown, const ViewContext& context, LengthUnit unit, QWidget* parent);

    PickPane& scanPane() { return *m_scan; }
    PickPane& referencePane() { return *m_reference; }
    QTableView* table() const { return m_table; }
    QPushButton* moveButton() const { return m_move; }
    QPushButton* removeButton() const { return m_remove; }
    QString sentence() const;
    /// The motion; nullopt while there are too few pairs or all are on a line.
    const std::optional<Orientation>& orientation() const { return m_orientation; }

private:
    enum class Side { scan, reference };
    struct Pair {
        std::optional<Vec3d> scan, reference; ///< scan's frame
        std::optional<Vec3d>& at(Side side) { return side == Side::scan ? scan : reference; }
    };
    void take(Side side, Vec3d place);
    void removeChosen();
    /// The selected row; none: no selection.
    std::optional<std::size_t> chosen() const;
    void solve();
    void tell(const QString& sentence);
    void showPairs();

    SnapshotPtr m_shown;
    LengthUnit m_unit;
    std::vector<Pair> m_pairs;
    std::optional<Orientation> m_orientation;
    PickPane *m_scan, *m_reference;
    QStandardItemModel* m_model;
    QTableView* m_table;
    QLabel* m_sentence;
    QCheckBox* m_freeScale;
    QPushButton *m_remove, *m_move = nullptr;
};

} // namespace scanloupe::gui
