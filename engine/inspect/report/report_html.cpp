// Writes reports of inspections as HTML.
#include "engine/cloud/point_cloud.h"
#include "engine/inspect/reference.h"
#include "engine/inspect/report/html.h"
#include "engine/inspect/report/inspection_report.h"
#include "engine/io/common/text/utf8.h"
#include "engine/io/writers.h"
#include "engine/results/snapshot.h"
#include "kernels/raster/colours/colour_map.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <span>
#include <sstream>

namespace scanloupe {

namespace {

constexpr int kShownWidth = 470; // width of a picture: two fit side by side

/// Escapes text for HTML, and keeps its line breaks.
std::string escapedLines(const std::string& text) {
    std::string out;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        out += (out.empty() ? "" : "\n") + htmlEscaped(line);
    return out;
}

std::string base64(const std::string& bytes) {
    constexpr const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t word = 0;
        for (std::size_t k = 0; k < 3; ++k)
            word = word << 8 | (k < have ? std::uint8_t(bytes[i + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k)
            out.push_back(k <= have ? digits[word >> (18 - 6 * k) & 63] : '=');
    }
    return out;
}

std::string pngOf(const Image& image) {
    std::ostringstream stream;
    writePng(stream, image.width, image.height, [&](int row) {
        return image.pixels.span().subspan(std::size_t(row) * std::size_t(image.width));
    });
    return std::move(stream).str();
}

std::string rgb(std::uint32_t colour) {
    return fmt::format("#{:02x}{:02x}{:02x}", colour & 255, colour >> 8 & 255, colour >> 16 & 255);
}

/// Formats a fraction as a percentage, rounded down, so that 99.999 % is not shown as 100 %.
std::string percent(double share) {
    return fmt::format("{:.2f} %", std::floor(1e4 * share) / 100);
}

/// Formats lengths in the unit of the scan, or in millimetres if all are below half a metre.
class Lengths {
public:
    explicit Lengths(const InspectionReport& report) {
        const bool isSmall = report.unit == LengthUnit::metre &&
                             std::max(std::abs(report.figures.largest), report.tolerance) < 0.5;
        m_scale = isSmall ? 1000 : 1;
        const LengthUnitRow& row = rowOf(isSmall ? LengthUnit::millimetre : report.unit);
        if (row.metres > 0)
            m_unit = fmt::format("&#160;{}", row.symbol); // a non-breaking space that SVG also supports
    }
    std::string text(double length) const { return fmt::format("{:.6g}{}", length * m_scale, m_unit); }
    std::string withSign(double length) const { return fmt::format("{:+.6g}{}", length * m_scale, m_unit); }
    std::string inFewDigits(double length) const { return fmt::format("{:.4g}{}", length * m_scale, m_unit); }

private:
    double m_scale = 1;
    std::string m_unit;
};

std::string verdict(const InspectionReport& report) {
    if (!report.isJudged())
        return {};
    return report.isAccepted() ? "<p class=\"within\">Within tolerance</p>\n"
                               : "<p class=\"outside\">Outside tolerance</p>\n";
}

void addFigures(std::string& html, const InspectionReport& report) {
    const DeviationFigures& f = report.figures;
    const Lengths lengths(report);
    html.append("<h2>Figures</h2>\n<table>\n");
    addHtmlRow(html, "Points", fmt::format("{} measured", f.points));
    if (report.without > 0)
        addHtmlRow(
            html, "Left out",
            fmt::format("{} points: too far away, removed, or without finite coordinates", report.without));
    if (report.isJudged()) {
        addHtmlRow(html, "Tolerance", fmt::format("± {}", lengths.text(report.tolerance)));
        addHtmlRow(html, "Within",
                   fmt::format("{} ({} required)", percent(f.shareWithin()), percent(report.requiredShare)));
        addHtmlRow(html, "Above", fmt::format("{} points", f.above));
        addHtmlRow(html, "Below", fmt::format("{} points", f.below));
    }
    addHtmlRow(html, "Mean", lengths.withSign(f.mean));
    addHtmlRow(html, "Median", lengths.withSign(f.median));
    addHtmlRow(html, "Standard deviation", lengths.text(f.standardDeviation));
    addHtmlRow(html, "Root mean square", lengths.text(f.rms));
    addHtmlRow(html, "Largest", lengths.withSign(f.largest));
    html.append("</table>\n");
}

/// Adds the legend of the colours.
void addKey(std::string& html, const InspectionReport& report) {
    if (!report.isJudged())
        return;
    const Lengths lengths(report);
    const double t = report.tolerance, near = 0.75 * t;
    const auto map = toleranceMap();
    const std::pair<std::size_t, std::string> keys[] = {
        {0, fmt::format("below {}", lengths.withSign(-t))},
        {64, fmt::format("from {} on", lengths.withSign(-t))},
        {80, fmt::format("from {} to {}", lengths.withSign(-near), lengths.withSign(near))},
        {176, fmt::format("up to {}", lengths.withSign(t))},
        {192, fmt::format("above {}", lengths.withSign(t))}};
    html.append("<p>");
    for (const auto& [colour, text] : keys)
        fmt::format_to(std::back_inserter(html),
                       "<span style=\"background-color:{}\">&nbsp;&nbsp;&nbsp;&nbsp;</span> {} &nbsp; ",
                       rgb(map[colour]), text);
    html.append("</p>\n");
}

void addPlaces(std::string& html, const InspectionReport& report) {
    const DeviationFigures& f = report.figures;
    if (!report.isJudged())
        return;
    const Lengths lengths(report);
    fmt::format_to(std::back_inserter(html), "<h2>Places out of tolerance: {}</h2>\n", f.regions);
    if (f.worst.empty())
        return;
    html.append("<table class=\"places\">\n<tr><th></th><th>Largest</th><th>Mean</th><th>Points</th>"
                "<th>x</th><th>y</th><th>z</th></tr>\n");
    for (std::size_t i = 0; i < f.worst.size(); ++i) {
        const DeviationRegion& region = f.worst[i];
        fmt::format_to(std::back_inserter(html),
                       "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.5f}</td><td>{:.5f}</td>"
                       "<td>{:.5f}</td></tr>\n",
                       i + 1, lengths.withSign(region.largest), lengths.withSign(region.mean), region.points,
                       region.at.x, region.at.y, region.at.z);
    }
    html.append("</table>\n");
    if (f.regions > f.worst.size())
        fmt::format_to(std::back_inserter(html), "<p>and {} more</p>\n", f.regions - f.worst.size());
}

void addFile(std::string& html, const char* name, const ReportFile& file) {
    addHtmlRow(html, name, file.path.empty() ? "not a single file" : htmlEscaped(file.path));
    if (!file.sha256.empty())
        addHtmlRow(html, "", fmt::format("{} bytes, SHA-256 {}", file.bytes, file.sha256));
}

void addSources(std::string& html, const InspectionReport& report) {
    html.append("<h2>Sources</h2>\n<table>\n");
    addFile(html, "Scan", report.scan);
    if (report.measuredFrom) {
        addFile(html, "Reference", report.reference);
        addHtmlRow(html, "",
                   fmt::format("{}; scaled by {:g}", contentText(*report.measuredFrom), report.scale));
    } else {
        addHtmlRow(html, "Reference", "deviations were read from the scan's file");
    }
    for (const std::string& warning : report.warnings)
        addHtmlRow(html, "Note", htmlEscaped(warning));
    addHtmlRow(html, "Scanloupe", htmlEscaped(report.program));
    addHtmlRow(html, "Date", report.date);
    html.append("</table>\n");
}

} // namespace

std::string histogramSvg(const InspectionReport& report) {
    if (!report.histogram)
        return {};
    constexpr double width = 720, height = 220, bottom = 190, top = 10;
    const Histogram& h = *report.histogram;
    const std::uint64_t most = std::max<std::uint64_t>(1, *std::ranges::max_element(h.counts));
    const auto xOf = [&](double value) { return (value - h.low) / (h.high - h.low) * width; };
    const auto map = toleranceMap();
    std::string svg =
        fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 "
                    "0 {} {}\">\n",
                    width, height, width, height);
    for (std::size_t i = 0; i < h.counts.size(); ++i) {
        if (h.counts[i] == 0)
            continue;
        const double tall = std::max(1.0, double(h.counts[i]) / double(most) * (bottom - top));
        const double middle = (h.edge(i) + h.edge(i + 1)) / 2;
        const int band = report.isJudged()
                             ? int(std::clamp(127.5 + 64 * middle / report.tolerance + 0.5, 0.0, 255.0))
                             : 128;
        fmt::format_to(std::back_inserter(svg),
                       "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n",
                       xOf(h.edge(i)), bottom - tall, xOf(h.edge(i + 1)) - xOf(h.edge(i)), tall,
                       rgb(map[std::size_t(band)]));
    }
    fmt::format_to(std::back_inserter(svg),
                   "<line x1=\"0\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#808890\"/>\n", bottom, width,
                   bottom);
    const Lengths lengths(report);
    const auto mark = [&](double value, const char* anchor) {
        fmt::format_to(std::back_inserter(svg),
                       "<text x=\"{:.2f}\" y=\"{}\" font-size=\"12\" font-family=\"DejaVu Sans\" "
                       "fill=\"#404850\" text-anchor=\"{}\">{}</text>\n",
                       xOf(value), bottom + 18, anchor, lengths.inFewDigits(value));
    };
    mark(h.low, "start");
    mark(0, "middle");
    mark(h.high, "end");
    if (report.isJudged())
        for (const double limit : {-report.tolerance, report.tolerance})
            fmt::format_to(std::back_inserter(svg),
                           "<line x1=\"{0:.2f}\" y1=\"{1}\" x2=\"{0:.2f}\" y2=\"{2}\" stroke=\"#202428\" "
                           "stroke-dasharray=\"4 3\"/>\n",
                           xOf(limit), top, bottom);
    svg.append("</svg>\n");
    return svg;
}

std::string toHtml(const InspectionReport& report, PictureLinks links) {
    const bool isEmbedded = links == PictureLinks::embedded;
    const std::string file = std::filesystem::path(report.scan.path).filename().string();
    const std::string name = file.empty() ? "an unsaved scan" : file;
    std::string html = fmt::format("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                                   "<title>Inspection of {}</title><style>{}</style></head>\n<body>\n",
                                   htmlEscaped(name), kReportStyle);
    fmt::format_to(std::back_inserter(html), "<h1>Inspection of {}</h1>\n", htmlEscaped(name));
    if (report.measuredFrom)
        fmt::format_to(std::back_inserter(html), "<p class=\"caption\">against {}</p>\n",
                       htmlEscaped(report.measuredFrom->name));
    html.append(verdict(report));
    addFigures(html, report);
    if (report.histogram) {
        html.append("<h2>Histogram</h2>\n<p>");
        html.append(isEmbedded ? histogramSvg(report) : std::string("<img src=\"histogram.svg\">"));
        html.append("</p>\n");
    }
    html.append("<h2>Pictures</h2>\n");
    addKey(html, report);
    if (!report.figures.worst.empty())
        html.append("<p>A ring marks each place out of tolerance.</p>\n");
    html.append("<table>\n");
    for (std::size_t i = 0; i < report.pictures.size(); ++i) {
        const ReportPicture& picture = report.pictures[i];
        const std::string source = isEmbedded ? "data:image/png;base64," + base64(pngOf(picture.image))
                                              : fmt::format("picture{}.png", i);
        fmt::format_to(std::back_inserter(html),
                       "{}<td><img src=\"{}\" alt=\"{}\" width=\"{}\" height=\"{}\"><br>"
                       "<span class=\"caption\">{}</span></td>{}\n",
                       i % 2 == 0 ? "<tr>" : "", source, htmlEscaped(picture.caption), kShownWidth,
                       std::lround(double(kShownWidth) * picture.image.height / picture.image.width),
                       htmlEscaped(picture.caption),
                       i % 2 == 1 || i + 1 == report.pictures.size() ? "</tr>" : "");
    }
    html.append("</table>\n");
    addPlaces(html, report);
    addSources(html, report);
    fmt::format_to(std::back_inserter(html), "<h2>Recipe</h2>\n<pre>{}</pre>\n</body></html>\n",
                   escapedLines(report.recipe));
    return html;
}

} // namespace scanloupe
