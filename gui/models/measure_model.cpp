// Formats measures as table rows, and applies edits of the rows.
#include "gui/models/measure_model.h"

#include "gui/text/measure_text.h"

#include <algorithm>

namespace scanloupe::gui {

namespace {

QString cellText(const Measure& measure, int column, Vec3d up, LengthUnit unit) {
    switch (column) {
    case MeasureModel::name:
        return QString::fromStdString(measure.name);
    case MeasureModel::kind:
        return kindText(measure.kind);
    case MeasureModel::value:
        return valuesText(measure, up, unit);
    case MeasureModel::snap:
        return snapText(measure);
    default:
        return {};
    }
}

/// The measure after an edit; unchanged if the value is invalid.
Measure changed(Measure measure, int column, const QVariant& value, int role) {
    if (role == Qt::CheckStateRole && column == MeasureModel::name)
        measure.visible = value.toInt() == Qt::Checked;
    if (role != Qt::EditRole)
        return measure;
    if (const QString text = value.toString().trimmed(); column == MeasureModel::name && !text.isEmpty())
        measure.name = text.toStdString();
    if (const auto picked = value.value<QColor>(); column == MeasureModel::colour && picked.isValid())
        measure.colour = picked.rgb() & 0xffffff;
    return measure;
}

} // namespace

MeasureModel::MeasureModel(QObject* parent)
    : TableModel({tr("Name"), tr("Kind"), tr("Value"), tr("Colour"), tr("Snapped to")}, parent) {}

void MeasureModel::setMeasures(const MeasureList& measures, Vec3d up, LengthUnit unit) {
    m_up = up;
    m_unit = unit;
    const auto firstDifference = [&] {
        return int(std::ranges::mismatch(m_measures, measures).in1 - m_measures.begin());
    };
    while (m_measures.size() > measures.size()) {
        const int row = firstDifference();
        beginRemoveRows({}, row, row);
        m_measures.erase(m_measures.begin() + row);
        endRemoveRows();
    }
    while (m_measures.size() < measures.size()) {
        const int row = firstDifference();
        beginInsertRows({}, row, row);
        m_measures.insert(m_measures.begin() + row, measures[std::size_t(row)]);
        endInsertRows();
    }
    replace(true, [&] { m_measures = measures; });
}

void MeasureModel::removeMeasures(std::vector<int> rows) {
    MeasureList left;
    for (int row = 0; row < rowCount(); ++row)
        if (std::ranges::find(rows, row) == rows.end())
            left.push_back(m_measures[std::size_t(row)]);
    if (left.size() != m_measures.size())
        emit edited(left);
}

QVariant MeasureModel::cell(std::size_t row, int column, int role) const {
    const Measure& measure = m_measures[row];
    const QColor shade = QColor::fromRgb(measure.colour);
    switch (role) {
    case Qt::DisplayRole:
        return cellText(measure, column, m_up, m_unit);
    case Qt::EditRole:
        return column == colour ? QVariant(shade) : cellText(measure, column, m_up, m_unit);
    case Qt::DecorationRole:
        return column == colour ? QVariant(shade) : QVariant();
    case Qt::CheckStateRole:
        return column == name ? QVariant(measure.visible ? Qt::Checked : Qt::Unchecked) : QVariant();
    case Qt::ToolTipRole:
        return column == colour ? tr("%1: double-click to choose another").arg(shade.name())
                                : pointsText(measure);
    case Qt::AccessibleTextRole:
        return column == colour ? QVariant(shade.name()) : QVariant();
    default:
        return {};
    }
}

bool MeasureModel::setData(const QModelIndex& index, const QVariant& edit, int role) {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return false;
    Measure& measure = m_measures[std::size_t(index.row())];
    const Measure after = changed(measure, index.column(), edit, role);
    if (after == measure)
        return false;
    measure = after;
    emit dataChanged(index, index);
    emit edited(m_measures);
    return true;
}

Qt::ItemFlags MeasureModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.isValid() && index.column() == name ? flags | Qt::ItemIsUserCheckable | Qt::ItemIsEditable
                                                     : flags;
}

} // namespace scanloupe::gui
