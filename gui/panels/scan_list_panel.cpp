// Lists the files that are opened together.
#include "gui/panels/scan_list_panel.h"

#include "gui/controls/compact_table.h"
#include "gui/jobs/playlist.h"
#include "gui/models/scan_list_model.h"

#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

namespace scanloupe::gui {

namespace {
constexpr int kScanRows = 10; // longer tables scroll

QString titleOf(const Playlist& playlist) {
    switch (playlist.kind()) {
    case Playlist::Kind::sequence:
        return ScanListPanel::tr("%1 frames").arg(playlist.size());
    case Playlist::Kind::clouds:
        return ScanListPanel::tr("%1 clouds").arg(playlist.size());
    case Playlist::Kind::place:
        return ScanListPanel::tr("%1 scans of one place").arg(playlist.size());
    }
    return {};
}

} // namespace

ScanListPanel::ScanListPanel(Playlist& playlist, QWidget* parent)
    : QWidget(parent), m_playlist(playlist), m_title(new QLabel(this)),
      m_table(compactTable(new ScanListModel(playlist, this), this)) {
    setObjectName(QStringLiteral("scanList"));
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
                if (row.isValid() && m_playlist.kind() != Playlist::Kind::place)
                    m_playlist.show(row.row());
            });
    connect(m_table, &QTableView::doubleClicked, this, [this](const QModelIndex& row) {
        if (m_playlist.kind() == Playlist::Kind::place)
            showOnly(row.row());
    });
    const auto add = [&](const QString& text, void (ScanListPanel::*slot)()) {
        auto* action = new QAction(text, this);
        m_table->addAction(action);
        connect(action, &QAction::triggered, this, slot);
    };
    add(tr("Show Only This Scan"), &ScanListPanel::showSelected);
    add(tr("Show All Scans"), &ScanListPanel::showAll);
    showList();
}

void ScanListPanel::showList() {
    const int size = m_playlist.size();
    setVisible(size > 1);
    if (size <= 1)
        return;
    m_title->setText(titleOf(m_playlist));
    const bool isPlace = m_playlist.kind() == Playlist::Kind::place;
    m_table->setContextMenuPolicy(isPlace ? Qt::ActionsContextMenu : Qt::NoContextMenu);
    m_table->setToolTip(isPlace ? tr("Double-click to show a scan alone; again to show all.") : QString());
    fitHeight(m_table, kScanRows);
    select();
}

void ScanListPanel::showOnly(int index) {
    const bool isOnly = m_playlist.isVisible(index) && std::ranges::count(m_playlist.visible(), true) == 1;
    if (isOnly)
        showAll();
    else
        m_playlist.show(index);
}

void ScanListPanel::showSelected() {
    if (m_table->currentIndex().isValid())
        showOnly(m_table->currentIndex().row());
}

void ScanListPanel::showAll() {
    m_playlist.setVisible(std::vector<bool>(std::size_t(m_playlist.size()), true));
}

void ScanListPanel::select() {
    if (m_playlist.kind() == Playlist::Kind::place)
        return;
    if (m_playlist.size() == 0 || m_table->currentIndex().row() == m_playlist.wanted())
        return;
    if (m_playlist.wanted() < 0) { // all scans are shown together
        m_table->clearSelection();
        m_table->setCurrentIndex({});
    } else {
        m_table->selectRow(m_playlist.wanted());
    }
}

} // namespace scanloupe::gui
