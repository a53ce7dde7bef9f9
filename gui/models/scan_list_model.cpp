// Formats the playlist as table rows.
#include "gui/models/scan_list_model.h"

#include "engine/align/merge_clouds.h"
#include "engine/cloud/categories.h"
#include "gui/text/number_text.h"

#include <QColor>
#include <QFont>
#include <QGuiApplication>
#include <QPalette>

namespace scanloupe::gui {

namespace {

QColor colourOfScan(int row) {
    const std::uint32_t rgba = Category{kScanAttribute, ScalarType::uint16, {row}}.colour(0);
    return {int(rgba & 255), int(rgba >> 8 & 255), int(rgba >> 16 & 255)};
}

} // namespace

ScanListModel::ScanListModel(Playlist& playlist, QObject* parent)
    : TableModel({tr("File"), tr("Points")}, parent), m_playlist(playlist), m_rows(playlist.size()) {
    connect(&playlist, &Playlist::replaced, this,
            [this] { replace(false, [this] { m_rows = m_playlist.size(); }); });
    connect(&playlist, &Playlist::detailsChanged, this, &ScanListModel::notifyAllChanged);
    connect(&playlist, &Playlist::moved, this, &ScanListModel::notifyAllChanged);
}

QVariant ScanListModel::cell(std::size_t number, int column, int role) const {
    const int row = int(number);
    if (row >= m_playlist.size())
        return {};
    const ScanCache::State state = m_playlist.at(row);
    const bool broken = !state.problem.empty();
    switch (role) {
    case Qt::DisplayRole:
        if (column == name)
            return m_playlist.nameOf(row);
        return broken ? tr("can't be opened") : state.points ? countText(*state.points) : QString();
    case Qt::ToolTipRole:
        return broken ? QString::fromStdString(state.problem) : m_playlist.nameOf(row);
    case Qt::CheckStateRole:
        return hasCheckBox(row, column) ? QVariant(m_playlist.isVisible(row) ? Qt::Checked : Qt::Unchecked)
                                        : QVariant();
    case Qt::DecorationRole:
        return hasCheckBox(row, column) ? QVariant(colourOfScan(row)) : QVariant();
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter | (column == points ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::ForegroundRole:
        return broken ? QVariant(QGuiApplication::palette().brush(QPalette::Disabled, QPalette::Text))
                      : QVariant();
    case Qt::FontRole: {
        QFont font = QGuiApplication::font();
        font.setBold(row == m_playlist.shown());
        return font;
    }
    default:
        return {};
    }
}

bool ScanListModel::hasCheckBox(int row, int column) const {
    return column == name && m_playlist.kind() == Playlist::Kind::place && m_playlist.at(row).problem.empty();
}

bool ScanListModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::CheckStateRole || !checkIndex(index, CheckIndexOption::IndexIsValid) ||
        index.row() >= m_playlist.size() || !hasCheckBox(index.row(), index.column()))
        return false;
    std::vector<bool> visible = m_playlist.visible();
    visible[std::size_t(index.row())] = value.toInt() == Qt::Checked;
    m_playlist.setVisible(visible);
    notifyAllChanged(); // the last one stays checked
    return true;
}

Qt::ItemFlags ScanListModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = TableModel::flags(index);
    if (index.isValid() && index.row() < m_playlist.size() && hasCheckBox(index.row(), index.column()))
        flags |= Qt::ItemIsUserCheckable;
    return flags;
}

} // namespace scanloupe::gui
