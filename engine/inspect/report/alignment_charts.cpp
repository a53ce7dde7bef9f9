// Draws trajectories from above, and one series of values per scan, as SVG.
#include "engine/inspect/report/alignment_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace scanloupe {

namespace {

constexpr double kMapWidth = 940, kMapHeight = 620, kMapMargin = 30; // pixels
constexpr std::size_t kMaxDots = 400; // maximum number of markers of right poses; more would hide the line
constexpr const char* kWordColours[] = {"#1d7a33", "#c77700", "#b02020"};
constexpr const char* kLoopColours[] = {"#1f5fbf", "#8a949e", "#8a949e", "#b02020"};

struct MapPoint {
    double x = 0, y = 0;
};

/// Returns the largest length of 1, 2 or 5 times a power of ten that is not above `most`.
double roundLength(double most) {
    const double power = std::pow(10, std::floor(std::log10(most)));
    return power * (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1);
}

Vec3d positionOf(const AlignedScan& scan) {
    return scan.alignment.pose(scan.alignment.reference);
}

/// Maps the xy plane to pixels, with the same scale along both axes and y upwards.
class MapFrame {
public:
    explicit MapFrame(const AlignOutcome& outcome) {
        Vec3d low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = -low;
        for (const AlignedScanPtr& scan : outcome.scans) {
            const Vec3d at = positionOf(*scan);
            low = min(low, at);
            high = max(high, at);
        }
        m_middle = 0.5 * (low + high);
        const Vec3d size = high - low;
        const double scaleX = (kMapWidth - 2 * kMapMargin) / std::max(size.x, 1e-3),
                     scaleY = (kMapHeight - 2 * kMapMargin) / std::max(size.y, 1e-3);
        m_scale = std::min({scaleX, scaleY, 1e5});
        m_height = std::min(kMapHeight, size.y * m_scale + 4 * kMapMargin);
    }
    MapPoint operator()(Vec3d p) const {
        return {kMapWidth / 2 + (p.x - m_middle.x) * m_scale, m_height / 2 - (p.y - m_middle.y) * m_scale};
    }
    double scale() const { return m_scale; } ///< pixels per metre
    double height() const { return m_height; }

private:
    Vec3d m_middle;
    double m_scale = 1, m_height = kMapHeight;
};

void addLine(std::string& svg, MapPoint a, MapPoint b, const char* style) {
    fmt::format_to(std::back_inserter(svg),
                   "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", a.x, a.y, b.x, b.y,
                   style);
}

void addText(std::string& svg, MapPoint at, const char* anchor, const std::string& text) {
    fmt::format_to(std::back_inserter(svg),
                   "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"12\" font-family=\"DejaVu Sans\" "
                   "fill=\"#404850\" text-anchor=\"{}\">{}</text>\n",
                   at.x, at.y, anchor, text);
}

void addWay(std::string& svg, const AlignOutcome& outcome, const MapFrame& frame) {
    svg.append("<polyline fill=\"none\" stroke=\"#404850\" stroke-width=\"1.5\" points=\"");
    for (const AlignedScanPtr& scan : outcome.scans) {
        const MapPoint at = frame(positionOf(*scan));
        fmt::format_to(std::back_inserter(svg), "{:.1f},{:.1f} ", at.x, at.y);
    }
    svg.append("\"/>\n");
}

/// Draws a line along each undetermined direction of a pose. Its length is the uncertainty.
void addWeakDirections(std::string& svg, const AlignOutcome& outcome, const MapFrame& frame) {
    for (const AlignedScanPtr& scan : outcome.scans)
        for (const WeakDirection& weak : scan->alignment.evidence.weak) {
            const double shift = norm(weak.translation);
            if (shift <= norm(weak.rotation))
                continue; // a rotation has no direction to draw
            const Vec3d along = weak.translation / shift, at = positionOf(*scan);
            addLine(svg, frame(at - weak.back * along), frame(at + weak.forth * along),
                    "stroke=\"#c77700\" stroke-width=\"3\" stroke-opacity=\"0.35\"");
        }
}

void addLoops(std::string& svg, const AlignOutcome& outcome, const MapFrame& frame) {
    for (const LoopEdge& loop : outcome.loops) {
        const MapPoint a = frame(positionOf(*outcome.scans[loop.from])),
                       b = frame(positionOf(*outcome.scans[loop.to]));
        const std::string style =
            fmt::format("stroke=\"{}\" stroke-width=\"2\"{}", kLoopColours[std::size_t(loop.state)],
                        loop.state == LoopState::closed ? "" : " stroke-dasharray=\"4 3\"");
        addLine(svg, a, b, style.c_str());
    }
}

void addDots(std::string& svg, const AlignOutcome& outcome, const MapFrame& frame) {
    const std::size_t count = outcome.scans.size(), stride = std::max<std::size_t>(1, count / kMaxDots);
    for (std::size_t i = 0; i < count; ++i) {
        const PoseWord word = outcome.scans[i]->alignment.verdict.word;
        const bool isEnd = i == 0 || i + 1 == count;
        if (word == PoseWord::right && i % stride != 0 && !isEnd)
            continue;
        const MapPoint at = frame(positionOf(*outcome.scans[i]));
        fmt::format_to(
            std::back_inserter(svg),
            "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"><title>{}: {}</title></circle>\n", at.x,
            at.y, isEnd ? 5 : 2.5, kWordColours[std::size_t(word)], i + 1, describe(word));
    }
}

std::string svgHead(double width, double height) {
    return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
                       "viewBox=\"0 0 {0:.0f} {1:.0f}\">\n",
                       width, height);
}

} // namespace

std::string trajectorySvg(const AlignmentReport& report) {
    const AlignOutcome& outcome = report.outcome;
    const MapFrame frame(outcome);
    std::string svg = svgHead(kMapWidth, frame.height());
    addWeakDirections(svg, outcome, frame);
    addWay(svg, outcome, frame);
    addLoops(svg, outcome, frame);
    addDots(svg, outcome, frame);
    const double length = roundLength(kMapWidth / 4 / frame.scale()), y = frame.height() - 8;
    addLine(svg, {10, y}, {10 + length * frame.scale(), y}, "stroke=\"#202428\" stroke-width=\"2\"");
    addText(svg, {10, y - 6}, "start", fmt::format("{:g} {}", length, unitText(report.unit)));
    svg.append("</svg>\n");
    return svg;
}

std::string seriesSvg(const ScanSeries& series) {
    constexpr double width = 940, height = 150, left = 70, right = 930, top = 12, bottom = 122;
    double most = 0;
    bool isEmpty = true;
    for (const double value : series.values)
        if (std::isfinite(value)) {
            most = std::max(most, value);
            isEmpty = false;
        }
    if (isEmpty)
        return {};
    most = most > 0 ? most : 1;
    const double last = std::max<double>(1, double(series.values.size()) - 1);
    const auto at = [&](std::size_t i) {
        return MapPoint{left + double(i) / last * (right - left),
                        bottom - series.values[i] / most * (bottom - top)};
    };
    std::string svg = svgHead(width, height);
    for (const double share : {0.0, 0.5, 1.0}) {
        const double y = bottom - share * (bottom - top);
        addLine(svg, {left, y}, {right, y}, "stroke=\"#d8dce0\"");
        addText(svg, {left - 6, y + 4}, "end", fmt::format("{:.3g}", share * most));
    }
    for (std::size_t i = 0; i < series.values.size();) {
        std::string points;
        std::size_t count = 0;
        for (; i < series.values.size() && std::isfinite(series.values[i]); ++i, ++count)
            fmt::format_to(std::back_inserter(points), "{:.1f},{:.1f} ", at(i).x, at(i).y);
        if (count == 1) // a line of a single point would not be visible
            fmt::format_to(std::back_inserter(svg),
                           "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2\" fill=\"#1f5fbf\"/>\n", at(i - 1).x,
                           at(i - 1).y);
        else if (count > 1)
            fmt::format_to(std::back_inserter(svg),
                           "<polyline fill=\"none\" stroke=\"#1f5fbf\" points=\"{}\"/>\n", points);
        while (i < series.values.size() && !std::isfinite(series.values[i]))
            ++i;
    }
    addText(svg, {left, height - 8}, "start", "1");
    addText(svg, {right, height - 8}, "end", fmt::format("{}", series.values.size()));
    addText(svg, {(left + right) / 2, height - 8}, "middle", series.caption);
    svg.append("</svg>\n");
    return svg;
}

} // namespace scanloupe
