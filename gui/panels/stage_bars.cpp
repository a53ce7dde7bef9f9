// Draws the stages of the last run as bars.
#include "gui/panels/stage_bars.h"

#include "gui/controls/stage_colours.h"
#include "gui/models/stage_timing_model.h"
#include "gui/text/number_text.h"

#include <QCoreApplication>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

namespace scanloupe::gui {

StageBars::StageBars(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    setAccessibleName(tr("Time of each stage of the last run"));
}

void StageBars::setRun(const RunTimings& timings, bool preview) {
    m_timings = timings;
    m_preview = preview;
    m_scaleMs = 1e-3;
    QStringList words;
    for (const StageTiming& stage : timings.stages) {
        words << describe(stage);
        // reading happens once per file, and metrics are computed after the run: both would dwarf all other
        // stages
        if (stage.stage != "read" && stage.stage != "quality")
            m_scaleMs = std::max(m_scaleMs, std::max(stage.wallMs, stage.deviceMs));
        if (!stage.reused && !preview) {
            std::erase_if(m_lastRuns, [&](const StageTiming& last) { return last.stage == stage.stage; });
            m_lastRuns.push_back(stage);
        }
    }
    if (timings.stages.empty())
        m_lastRuns.clear();
    setAccessibleDescription(words.join(QLatin1Char('\n')));
    updateGeometry();
    update();
}

const StageTiming* StageBars::lastRun(const std::string& stage) const {
    const auto found = std::find_if(m_lastRuns.begin(), m_lastRuns.end(),
                                    [&](const StageTiming& last) { return last.stage == stage; });
    return found == m_lastRuns.end() ? nullptr : &*found;
}

QString StageBars::describe(const StageTiming& stage) const {
    const QString name = stageText(stage.stage);
    const StageTiming* last = stage.reused ? lastRun(stage.stage) : nullptr;
    QString text =
        tr("%1: %2 on %3").arg(name, timeText(stage.wallMs), QString::fromStdString(stage.backend).toUpper());
    if (last)
        text = tr("%1: the last result was reused; it took %2").arg(name, timeText(last->wallMs));
    else if (stage.reused)
        text = tr("%1: the last result was reused").arg(name);
    if (stage.deviceMs > 0)
        text += tr(", of which %1 on the device").arg(timeText(stage.deviceMs));
    if (!stage.method.empty())
        text += tr("\nby %1: %2")
                    .arg(QCoreApplication::translate("parameters", stage.method.c_str()),
                         QString::fromStdString(stage.why));
    for (const auto& [step, ms] : stage.steps)
        text += QStringLiteral("\n    %1: %2").arg(countName(step), timeText(ms));
    if (stage.bytes > 0)
        text += tr("\nits result uses %1 of memory").arg(bytesText(stage.bytes));
    return text;
}

int StageBars::rowHeight() const {
    return fontMetrics().height() + 5;
}

QSize StageBars::minimumSizeHint() const {
    constexpr int kRows = 7, kBar = 60; // minimum number of rows; pixels of the longest bar
    const int bar = std::max(kBar, fontMetrics().horizontalAdvance(tr("reused")) + 8);
    return {namesWidth() + bar + timesWidth() + 4,
            rowHeight() * int(std::max<std::size_t>(m_timings.stages.size(), kRows) + 1) + 4};
}

QSize StageBars::sizeHint() const {
    return {360, minimumSizeHint().height()};
}

QRectF StageBars::rowRect(std::size_t row) const {
    return {2.0, 2.0 + double(row) * rowHeight(), width() - 4.0, double(rowHeight())};
}

int StageBars::namesWidth() const {
    int widest = fontMetrics().horizontalAdvance(stageText("rasterize"));
    for (const StageTiming& stage : m_timings.stages)
        widest = std::max(widest, fontMetrics().horizontalAdvance(stageText(stage.stage)));
    return widest + 12;
}

int StageBars::timesWidth() const {
    return fontMetrics().horizontalAdvance(QStringLiteral("0000.00 ms")) + 4;
}

QRectF StageBars::barArea(std::size_t row) const {
    return rowRect(row).adjusted(namesWidth(), 3, -timesWidth(), -3);
}

QRectF StageBars::barRect(std::size_t index) const {
    const StageTiming& stage = m_timings.stages[index];
    QRectF bar = barArea(index);
    bar.setWidth(stage.reused ? 0 : bar.width() * std::clamp(stage.wallMs / m_scaleMs, 0.0, 1.0));
    if (!stage.reused && stage.wallMs > 0)
        bar.setWidth(std::max(bar.width(), 1.5)); // keeps the bar of a quick stage visible
    return bar;
}

void StageBars::paintBar(QPainter& painter, std::size_t index) const {
    const StageTiming& stage = m_timings.stages[index];
    const QRectF bar = barRect(index);
    const QColor colour = stageColour(stage.stage);
    painter.fillRect(bar, colour);
    double left = bar.left();
    bool shade = false;
    for (const auto& [name, ms] : stage.steps) {
        const double right = std::min(left + bar.width() * ms / std::max(stage.wallMs, 1e-9), bar.right());
        if (shade)
            painter.fillRect(QRectF(QPointF(left, bar.top()), QPointF(right, bar.bottom())),
                             QColor(255, 255, 255, 70));
        shade = !shade;
        left = right;
    }
    if (stage.deviceMs > 0) {
        const double width = barArea(index).width() * std::min(stage.deviceMs / m_scaleMs, 1.0);
        painter.fillRect(QRectF(bar.left(), bar.bottom() - bar.height() / 3, width, bar.height() / 3),
                         colour.darker(170));
    }
    if (stage.wallMs > m_scaleMs * 1.0001) { // a gap marks a truncated bar
        painter.setPen(QPen(palette().color(QPalette::Base), 2));
        for (const double x : {bar.right() - 9, bar.right() - 5})
            painter.drawLine(QPointF(x, bar.bottom() + 1), QPointF(x + 4, bar.top() - 1));
    }
}

void StageBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor text = palette().color(QPalette::Text);
    const QColor weak = palette().color(QPalette::Disabled, QPalette::Text);
    if (m_timings.stages.empty()) {
        painter.setPen(weak);
        painter.drawText(rect(), Qt::AlignCenter, tr("Nothing has run yet."));
        return;
    }
    for (std::size_t i = 0; i < m_timings.stages.size(); ++i) {
        const StageTiming& stage = m_timings.stages[i];
        painter.fillRect(barArea(i), palette().color(QPalette::AlternateBase));
        if (!stage.reused)
            paintBar(painter, i);
        painter.setPen(stage.reused ? weak : text);
        painter.drawText(rowRect(i), Qt::AlignLeft | Qt::AlignVCenter, stageText(stage.stage));
        const StageTiming* last = stage.reused ? lastRun(stage.stage) : nullptr;
        painter.drawText(rowRect(i), Qt::AlignRight | Qt::AlignVCenter,
                         last           ? timeText(last->wallMs)
                         : stage.reused ? tr("reused")
                                        : timeText(stage.wallMs));
        if (stage.reused)
            painter.drawText(barArea(i).adjusted(4, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, tr("reused"));
    }
    const QRectF last = rowRect(m_timings.stages.size());
    painter.setPen(text);
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.drawText(last, Qt::AlignLeft | Qt::AlignVCenter, m_preview ? tr("Total (preview)") : tr("Total"));
    painter.drawText(last, Qt::AlignRight | Qt::AlignVCenter, timeText(m_timings.totalMs));
}

bool StageBars::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (std::size_t i = 0; i < m_timings.stages.size(); ++i) {
        if (rowRect(i).contains(help->pos())) {
            QToolTip::showText(help->globalPos(), describe(m_timings.stages[i]), this);
            return true;
        }
    }
    QToolTip::hideText();
    return true;
}

} // namespace scanloupe::gui
