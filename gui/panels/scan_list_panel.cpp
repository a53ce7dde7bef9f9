// Lists the files that are opened together.
#include "gui/panels/scan_list_panel.h"

#include "gui/controls/compact_table.h"
#include "gui/jobs/playlist.h"
#include "gui/models/scan_list_model.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

namespace scanloupe::gui {

namespace {
constexpr int kRows = 10; // longer tables scroll
}

ScanListPanel::ScanListPanel(Playlist& playlist, QWidget* parent)
    : QWidget(parent), m_playlist(playlist), m_title(new QLabel(this)),
      m_table(compactTable(new ScanListModel(playlist, this), this)) {
    auto* column = new QVBoxLayout(this);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    column->setContentsMargins(4, 4, 4, 0);
    column->setSpacing(2);
    m_title->setContentsMargins(8, 4, 4, 2);
    QFont bold = font();
    bold.setBold(true);
    m_title->setFont(bold);
    column->addWidget(m_title);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setAccessibleName(tr("Opened files"));
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->horizontalHeader()->setSectionResizeMode(ScanListModel::name, QHeaderView::Stretch);
    m_table->horizontalHeader()->setSectionResizeMode(ScanListModel::points, QHeaderView::ResizeToContents);
    column->addWidget(m_table);

    connect(&playlist, &Playlist::replaced, this, &ScanListPanel::showList);
    connect(&playlist, &Playlist::moved, this, &ScanListPanel::select);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row) {
                if (row.isValid())
                    m_playlist.show(row.row());
            });
    showList();
}

void ScanListPanel::showList() {
    const int size = m_playlist.size();
    setVisible(size > 1);
    if (size <= 1)
        return;
    m_title->setText(m_playlist.kind() == Playlist::Kind::sequence ? tr("%1 frames").arg(size)
                                                                   : tr("%1 clouds").arg(size));
    fitHeight(m_table, kRows);
    select();
}

void ScanListPanel::select() {
    if (m_playlist.size() == 0 || m_table->currentIndex().row() == m_playlist.wanted())
        return;
    if (m_playlist.wanted() < 0) { // all together
        m_table->clearSelection();
        m_table->setCurrentIndex({});
    } else {
        m_table->selectRow(m_playlist.wanted());
    }
}

} // namespace scanloupe::gui
