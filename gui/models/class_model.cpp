// Formats classes and their shares as table rows.
#include "gui/models/class_model.h"

#include "gui/base/class_label.h"
#include "gui/models/number_text.h"

#include <QColor>
#include <QLocale>

namespace scanloupe::gui {

namespace {

/// "61.2 %"; of a class that no point of the sample has, that there are few.
QString shareText(std::uint64_t count, const ClassCounts& classes) {
    if (count == 0)
        return ClassModel::tr("few");
    const double percent = 100.0 * double(count) / double(classes.sampled);
    return ClassModel::tr("%1 %").arg(QLocale().toString(percent, 'g', 3));
}

} // namespace

ClassModel::ClassModel(QObject* parent) : QAbstractTableModel(parent) {}

void ClassModel::setClasses(std::shared_ptr<const ClassCounts> classes) {
    if (classes == m_classes)
        return;
    beginResetModel();
    m_classes = std::move(classes);
    endResetModel();
}

int ClassModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_classes ? 0 : int(m_classes->rows.size());
}

int ClassModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columns;
}

QVariant ClassModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const ClassCounts::Row& row = m_classes->rows[std::size_t(index.row())];
    if (role == Qt::TextAlignmentRole && index.column() == share)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::DecorationRole && index.column() == name)
        return QColor(int(row.rgba & 255), int(row.rgba >> 8 & 255), int(row.rgba >> 16 & 255));
    if (role == Qt::ToolTipRole) {
        const QString count = countText(row.count), sampled = countText(m_classes->sampled);
        return m_classes->sampled == m_classes->points
                   ? tr("%1 of %2 points").arg(count, sampled)
                   : tr("%1 of %2 points that were counted, of %3 in all")
                         .arg(count, sampled, countText(m_classes->points));
    }
    if (role != Qt::DisplayRole)
        return {};
    return index.column() == name ? classLabel(row.text) : shareText(row.count, *m_classes);
}

QVariant ClassModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == name ? tr("Class") : tr("Points");
}

} // namespace scanloupe::gui
