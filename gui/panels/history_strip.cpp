// Draws the last runs as stacked columns.
#include "gui/panels/history_strip.h"

#include "gui/controls/stage_colours.h"
#include "gui/models/run_history_model.h"
#include "gui/text/number_text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

namespace scanloupe::gui {

HistoryStrip::HistoryStrip(const RunHistoryModel* model, QWidget* parent) : QWidget(parent), m_model(model) {
    setAccessibleName(tr("Times of the last runs"));
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(model, signal, this, qOverload<>(&QWidget::update));
    connect(model, &QAbstractItemModel::modelReset, this, qOverload<>(&QWidget::update));
}

double HistoryStrip::columnWidth() const {
    // a few runs get wider columns
    return std::clamp(double(width()) / std::max(1, m_model->rowCount()),
                      double(width()) / RunHistoryModel::kRuns, 12.0);
}

void HistoryStrip::paintRun(QPainter& painter, const RunRecord& record, QRectF column,
                            double pixelsPerMs) const {
    double bottom = column.bottom();
    painter.setOpacity(record.preview ? 0.55 : 1);
    for (const StageTiming& stage : record.timings.stages) {
        // reading precedes the run, and quality metrics follow it
        if (stage.reused || stage.stage == "read" || stage.stage == "quality")
            continue;
        const double height = stage.wallMs * pixelsPerMs;
        painter.fillRect(QRectF(column.left(), bottom - height, column.width(), height),
                         stageColour(stage.stage));
        bottom -= height;
    }
}

void HistoryStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    double longest = 0;
    for (const RunRecord& record : m_model->records())
        longest = std::max(longest, record.timings.totalMs);
    if (!(longest > 0))
        return;
    const double step = columnWidth(), text = fontMetrics().height();
    const QRectF area = QRectF(rect()).adjusted(0, text, 0, -1);
    double right = area.right();
    for (const RunRecord& record : m_model->records()) {
        const double gap = step > 4 ? 1 : 0;
        paintRun(painter, record, QRectF(right - step + gap, area.top(), step - gap, area.height()),
                 area.height() / longest);
        right -= step;
    }
    painter.setOpacity(1);
    painter.setPen(palette().color(QPalette::Disabled, QPalette::Text));
    painter.drawText(rect().adjusted(4, 0, 0, 0), Qt::AlignLeft | Qt::AlignTop,
                     tr("longest %1").arg(timeText(longest)));
}

bool HistoryStrip::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto index = std::size_t(std::max(0.0, (width() - help->pos().x()) / columnWidth()));
    if (index < m_model->records().size()) {
        const RunRecord& record = m_model->records()[index];
        QToolTip::showText(help->globalPos(),
                           tr("Run %1: %2").arg(record.number).arg(timeText(record.timings.totalMs)), this);
    } else {
        QToolTip::hideText();
    }
    return true;
}

} // namespace scanloupe::gui
