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
    : QAbstractTableModel(parent), m_playlist(playlist), m_rows(playlist.size()) {
    connect(&playlist, &Playlist::replaced, this, [this] {
        beginResetModel();
        m_rows = m_playlist.size();
        endResetModel();
    });
    connect(&playlist, &Playlist::detailsChanged, this, &ScanListModel::notifyAllChanged);
    connect(&playlist, &Playlist::moved, this, &ScanListModel::notifyAllChanged);
}

void ScanListModel::notifyAllChanged() {
    if (m_rows > 0)
        emit dataChanged(index(0, 0), index(m_rows - 1, columns - 1));
}

int ScanListModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_rows;
}

int ScanListModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columns;
}

QVariant ScanListModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || index.row() >= m_playlist.size())
        return {};
    const ScanCache::State state = m_playlist.at(index.row());
    const bool broken = !state.problem.empty();
    switch (role) {
    case Qt::DisplayRole:
        if (index.column() == name)
            return m_playlist.nameOf(index.row());
        return broken ? tr("can't be opened") : state.points ? countText(*state.points) : QString();
    case Qt::ToolTipRole:
        return broken ? QString::fromStdString(state.problem) : m_playlist.nameOf(index.row());
    case Qt::CheckStateRole:
        return hasCheckBox(index) ? QVariant(m_playlist.isVisible(index.row()) ? Qt::Checked : Qt::Unchecked)
                                  : QVariant();
    case Qt::DecorationRole:
        return hasCheckBox(index) ? QVariant(colourOfScan(index.row())) : QVariant();
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter | (index.column() == points ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::ForegroundRole:
        return broken ? QVariant(QGuiApplication::palette().brush(QPalette::Disabled, QPalette::Text))
                      : QVariant();
    case Qt::FontRole: {
        QFont font = QGuiApplication::font();
        font.setBold(index.row() == m_playlist.shown());
        return font;
    }
    default:
        return {};
    }
}

bool ScanListModel::hasCheckBox(const QModelIndex& index) const {
    return index.column() == name && m_playlist.kind() == Playlist::Kind::place &&
           m_playlist.at(index.row()).problem.empty();
}

bool ScanListModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::CheckStateRole || !checkIndex(index, CheckIndexOption::IndexIsValid) ||
        index.row() >= m_playlist.size() || !hasCheckBox(index))
        return false;
    std::vector<bool> visible = m_playlist.visible();
    visible[std::size_t(index.row())] = value.toInt() == Qt::Checked;
    m_playlist.setVisible(visible);
    notifyAllChanged(); // the last one stays checked
    return true;
}

Qt::ItemFlags ScanListModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.isValid() && index.row() < m_playlist.size() && hasCheckBox(index))
        flags |= Qt::ItemIsUserCheckable;
    return flags;
}

QVariant ScanListModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == name ? tr("File") : tr("Points");
}

} // namespace scanloupe::gui
