// Draws and describes the bars of a histogram.
#include "gui/sliders/histogram_bars.h"

#include "gui/text/number_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QMenu>
#include <QPainter>
#include <QPalette>
#include <QPen>
#include <QPolygonF>
#include <QStringList>
#include <algorithm>
#include <cmath>

namespace scanloupe::gui {

namespace {

constexpr double kNarrowest = 2; // minimum width of a bar, pixels

QString tr(const char* text) {
    return QCoreApplication::translate("HistogramBars", text);
}

/// Formats an edge with as many digits as neighbouring edges need to differ.
QString edgeText(double value, double width) {
    const int decimals = std::clamp(int(std::ceil(-std::log10(width))) + 1, 0, 12);
    return decimals <= 9 ? QLocale().toString(value, 'f', decimals) : numberText(value);
}

} // namespace

void HistogramBars::setHistogram(std::shared_ptr<const Histogram> histogram, const QString& counted,
                                 const QString& unit) {
    m_histogram = std::move(histogram);
    m_counted = counted;
    m_unit = unit;
}

std::size_t HistogramBars::binsPerBar(const Span& span, double width) const {
    const Histogram& h = *m_histogram;
    const double binPixels = (h.high - h.low) / double(h.counts.size()) / (span.high - span.low) * width;
    return std::size_t(
        std::clamp(std::ceil(kNarrowest / std::max(binPixels, 1e-9)), 1.0, double(h.counts.size())));
}

std::uint64_t HistogramBars::countOf(std::size_t firstBin, std::size_t bins) const {
    const auto& counts = m_histogram->counts;
    std::uint64_t sum = 0;
    for (std::size_t i = firstBin; i < std::min(firstBin + bins, counts.size()); ++i)
        sum += counts[i];
    return sum;
}

double HistogramBars::heightOf(double count, double most) const {
    return m_logarithmic ? std::log1p(count) / std::log1p(most) : count / most;
}

void HistogramBars::paintGaussFit(QPainter& painter, const QRectF& area, const Span& span, std::size_t step,
                                  double most, const QPalette& palette) const {
    const Histogram& h = *m_histogram;
    const double width = (h.high - h.low) / double(h.counts.size()) * double(step);
    // number of counted values
    const double share = double(h.sampled) / double(std::max<std::uint64_t>(h.values, 1));
    QPolygonF line;
    for (double x = area.left(); x <= area.right(); x += 1) {
        const double value = span.low + (x - area.left()) / area.width() * (span.high - span.low);
        const double count = m_gauss->expected(value - width / 2, value + width / 2) * share;
        line << QPointF(x, area.bottom() - std::min(heightOf(count, most), 1.0) * area.height());
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(palette.color(QPalette::WindowText), 1.25));
    painter.drawPolyline(line);
}

void HistogramBars::paint(QPainter& painter, const QRectF& area, const Span& span, double lower, double upper,
                          const QPalette& palette, bool live) const {
    if (!m_histogram || !(span.low < span.high))
        return;
    const Histogram& h = *m_histogram;
    const std::size_t bins = h.counts.size(), step = binsPerBar(span, area.width());
    std::uint64_t most = 1;
    for (std::size_t i = 0; i < bins; i += step)
        most = std::max(most, countOf(i, step));
    QColor inside = palette.color(live ? QPalette::Highlight : QPalette::WindowText),
           outside = palette.color(QPalette::WindowText);
    inside.setAlphaF(live ? 0.75f : 0.45f);
    outside.setAlphaF(0.18f);
    const auto xOf = [&](double value) {
        return area.left() + (value - span.low) / (span.high - span.low) * area.width();
    };
    const double from = xOf(lower), to = xOf(upper);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(Qt::NoPen);
    for (std::size_t i = 0; i < bins; i += step) {
        const double height = heightOf(double(countOf(i, step)), double(most)) * area.height();
        if (height <= 0)
            continue;
        const double left = std::max(std::round(xOf(h.edge(i))), area.left()),
                     right = std::min(std::round(xOf(h.edge(std::min(i + step, bins)))), area.right());
        if (right <= left)
            continue;
        const double top = std::round(area.bottom() - std::max(height, 1.0)); // small counts stay visible
        const auto part = [&](double l, double r, const QColor& colour) {
            if (r > l)
                painter.fillRect(QRectF(l, top, r - l, area.bottom() - top), colour);
        };
        const double cut1 = std::clamp(std::round(from), left, right),
                     cut2 = std::clamp(std::round(to), cut1, right);
        part(left, cut1, outside);
        part(cut1, cut2, inside);
        part(cut2, right, outside);
    }
    if (m_gauss)
        paintGaussFit(painter, area, span, step, double(most), palette);
    painter.restore();
}

QString HistogramBars::toolTip(double value, const Span& span, double width) const {
    if (!m_histogram || !(value >= m_histogram->low && value <= m_histogram->high))
        return {};
    const Histogram& h = *m_histogram;
    const std::size_t bins = h.counts.size(), step = binsPerBar(span, width);
    const auto bin = std::min(std::size_t((value - h.low) / (h.high - h.low) * double(bins)), bins - 1);
    const std::size_t first = bin / step * step, end = std::min(first + step, bins);
    const double left = h.edge(first), right = h.edge(end);
    QStringList lines;
    lines << tr("%1 to %2 %3")
                 .arg(edgeText(left, right - left), edgeText(right, right - left), m_unit)
                 .trimmed();
    const QString count = countText(countOf(first, step)), all = countText(h.sampled - h.notFinite);
    if (h.sampled == h.values)
        lines << tr("%1 of %2 %3").arg(count, all, m_counted);
    else
        lines << tr("%1 of %2 counted %3,").arg(count, all, m_counted)
              << tr("%1 % of all")
                     .arg(QLocale().toString(100.0 * double(h.sampled) / double(h.values), 'g', 3));
    if (h.below > 0)
        lines << tr("%1 below the first bar").arg(countText(h.below));
    if (h.above > 0)
        lines << tr("%1 above the last bar").arg(countText(h.above));
    return lines.join(QLatin1Char('\n'));
}

void HistogramBars::addActions(QMenu& menu, std::function<void()> changed) {
    QAction* logarithmic = menu.addAction(tr("Logarithmic Counts"));
    logarithmic->setCheckable(true);
    logarithmic->setChecked(m_logarithmic);
    QObject::connect(logarithmic, &QAction::toggled, &menu, [this, changed = std::move(changed)](bool on) {
        m_logarithmic = on;
        changed();
    });
}

} // namespace scanloupe::gui
