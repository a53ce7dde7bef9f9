// Formats scans and the results of their alignment as table rows.
#include "gui/models/align_model.h"

#include "engine/recipe/recipe.h"
#include "gui/base/length_text.h"
#include "gui/text/pose_verdict_text.h"

#include <QGuiApplication>
#include <QLocale>
#include <QPalette>
#include <numbers>
#include <utility>

namespace scanloupe::gui {

namespace {

QString textOf(double value, int digits) {
    const QString text = QLocale().toString(value, 'f', digits);
    // a value that rounds to zero is shown without a sign
    const bool nothing = QString::number(value, 'f', digits).toDouble() == 0;
    return nothing ? QLocale().toString(0.0, 'f', digits) : text;
}

QString cellText(const AlignedScan& scan, int column) {
    const ScanAlignment& a = scan.alignment;
    const bool aligned = a.alignedPoints > 0;
    if (column >= AlignModel::x && column <= AlignModel::yaw && a.points == 0 &&
        a.verdict.word == PoseWord::wrong)
        return {}; // the scan was not read, or its wrong pose was not stored in the project
    constexpr double degree = std::numbers::pi / 180;
    switch (column) {
    case AlignModel::x:
    case AlignModel::y:
    case AlignModel::z:
        return textOf(a.shift()[column - AlignModel::x], 3);
    case AlignModel::roll:
    case AlignModel::pitch:
    case AlignModel::yaw:
        return textOf(rollPitchYaw(a.pose)[column - AlignModel::roll] / degree, 2);
    case AlignModel::steps:
        return aligned ? QLocale().toString(a.ndt.iterations) : QString();
    case AlignModel::score:
        return aligned ? textOf(a.ndt.nvtl, 3) : QString();
    case AlignModel::overlap:
        return aligned ? AlignModel::tr("%1 %").arg(textOf(100 * a.overlap(), 0)) : QString();
    default:
        return poseVerdictWord(scan);
    }
}

} // namespace

AlignModel::AlignModel(QObject* parent)
    : TableModel({tr("Scan"),
                  tr("result"),
                  {},
                  {},
                  {},
                  tr("roll °"),
                  tr("pitch °"),
                  tr("yaw °"),
                  tr("iterations"),
                  tr("score"),
                  tr("overlap")},
                 parent) {}

void AlignModel::setScans(const QStringList& names) {
    replace(false, [&] {
        m_rows.clear();
        for (const QString& name : names)
            m_rows.push_back({name});
    });
    emit checkedChanged();
}

std::vector<int> AlignModel::checkedRows() const {
    std::vector<int> rows;
    for (int row = 0; row < rowCount(); ++row)
        if (m_rows[std::size_t(row)].checked)
            rows.push_back(row);
    return rows;
}

void AlignModel::clearResults() {
    for (Row& row : m_rows)
        row.result = nullptr;
    if (!m_rows.empty())
        emit dataChanged(index(0, remark), index(rowCount() - 1, columns - 1));
}

void AlignModel::setResult(int row, const AlignedScanPtr& result) {
    m_rows[std::size_t(row)].result = result;
    emit dataChanged(index(row, remark), index(row, columns - 1));
}

void AlignModel::setRead(int row, const RigidTransform& pose, const PoseVerdict& verdict) {
    auto read = std::make_shared<AlignedScan>();
    read->alignment.pose = read->alignment.start = pose;
    read->alignment.verdict = verdict;
    read->alignment.hasPose = verdict.reason != PoseReason::noPose;
    read->alignment.evidence.converged = verdict.reason != PoseReason::notConverged;
    setResult(row, read);
}

void AlignModel::setUnit(LengthUnit unit) {
    if (std::exchange(m_unit, unit) != unit)
        emit headerDataChanged(Qt::Horizontal, x, z);
}

QVariant AlignModel::cell(std::size_t number, int column, int role) const {
    const Row& row = m_rows[number];
    const bool isText = column == scan || column == remark;
    switch (role) {
    case Qt::DisplayRole:
        if (column == scan)
            return row.name;
        return row.result ? cellText(*row.result, column) : QString();
    case Qt::ToolTipRole:
        if (column == remark && row.result)
            return poseVerdictText(*row.result, m_unit);
        return isText ? cell(number, column, Qt::DisplayRole) : QVariant();
    case Qt::CheckStateRole:
        return column == scan ? QVariant(row.checked ? Qt::Checked : Qt::Unchecked) : QVariant();
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter | (isText ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::ForegroundRole:
        return row.result && !row.result->problem.empty()
                   ? QVariant(QGuiApplication::palette().brush(QPalette::Disabled, QPalette::Text))
                   : QVariant();
    default:
        return {};
    }
}

bool AlignModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || role != Qt::CheckStateRole ||
        index.column() != scan)
        return false;
    m_rows[std::size_t(index.row())].checked = value.toInt() == Qt::Checked;
    emit dataChanged(index, index, {Qt::CheckStateRole});
    emit checkedChanged();
    return true;
}

QVariant AlignModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    const bool isLength = section == x || section == y || section == z;
    if (role == Qt::DisplayRole && isLength)
        return withUnit(QStringLiteral("xyz").mid(section - x, 1), m_unit);
    if (role == Qt::ToolTipRole && isLength)
        return tr("Translation of the scan at its origin or, with large coordinates, at the centre of its "
                  "points. Save Poses… saves the full pose");
    if (role == Qt::ToolTipRole && section == remark)
        return tr("Rating of the pose, and the probability that it is within 10 cm (or a tenth of a cell, if "
                  "smaller) and 1°; click a row for the reasons");
    if (role == Qt::ToolTipRole && section == score)
        return tr("How well its points fit the cells: larger is better");
    if (role == Qt::ToolTipRole && section == overlap)
        return tr("Share of its points that overlap the other scans");
    return TableModel::headerData(section, orientation, role);
}

Qt::ItemFlags AlignModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = TableModel::flags(index);
    return index.isValid() && index.column() == scan ? flags | Qt::ItemIsUserCheckable : flags;
}

} // namespace scanloupe::gui
