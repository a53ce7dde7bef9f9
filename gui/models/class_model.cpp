// Formats classes and their shares as table rows.
#include "gui/models/class_model.h"

#include "engine/results/quality.h"
#include "gui/base/class_label.h"
#include "gui/text/number_text.h"

#include <QColor>
#include <QLocale>

namespace scanloupe::gui {

namespace {

/// "61.2 %"; "≈ 0 %" for a class without points in the sample.
QString shareText(std::uint64_t count, const ClassCounts& classes) {
    if (count == 0)
        return ClassModel::tr("≈ 0 %");
    const double percent = 100.0 * double(count) / double(classes.sampled);
    return ClassModel::tr("%1 %").arg(QLocale().toString(percent, 'g', 3));
}

} // namespace

ClassModel::ClassModel(QObject* parent) : TableModel({tr("Class"), tr("Points")}, parent) {}

void ClassModel::setClasses(std::shared_ptr<const ClassCounts> classes) {
    if (classes == m_classes)
        return;
    replace(false, [&] { m_classes = std::move(classes); });
}

QVariant ClassModel::cell(std::size_t row, int column, int role) const {
    const ClassCounts::Row& one = m_classes->rows[row];
    if (role == Qt::TextAlignmentRole && column == share)
        return rightAligned();
    if (role == Qt::DecorationRole && column == name)
        return QColor(int(one.rgba & 255), int(one.rgba >> 8 & 255), int(one.rgba >> 16 & 255));
    if (role == Qt::ToolTipRole) {
        const QString count = countText(one.count), sampled = countText(m_classes->sampled);
        return m_classes->sampled == m_classes->points
                   ? tr("%1 of %2 points").arg(count, sampled)
                   : tr("%1 of %2 counted points (%3 in total)")
                         .arg(count, sampled, countText(m_classes->points));
    }
    if (role != Qt::DisplayRole)
        return {};
    return column == name ? classLabel(one.text) : shareText(one.count, *m_classes);
}

} // namespace scanloupe::gui
