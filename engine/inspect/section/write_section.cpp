// Writes sections as DXF and SVG.
#include "engine/inspect/section/write_section.h"

#include "engine/cloud/error.h"
#include "engine/io/common/file_ending.h"
#include "engine/io/common/write/write_atomically.h"
#include "kernels/core/error.h"

#include <cmath>
#include <fmt/format.h>

namespace scanloupe {

namespace {

void checkStop(const std::stop_token& stop) {
    if (stop.stop_requested())
        throw Cancelled();
}

/// Writes a DXF file with the group codes of AutoCAD's DXF reference, release 12, which all readers support.
void writeDxf(std::ostream& out, const SectionDrawing& drawing, LengthUnit unit,
              const std::stop_token& stop) {
    const auto pair = [&out](int code, const auto& value) { out << fmt::format("{:>3}\n{}\n", code, value); };
    const auto place = [&](Vec3d p) {
        pair(10, fmt::format("{:.12g}", p.x));
        pair(20, fmt::format("{:.12g}", p.y));
        pair(30, fmt::format("{:.12g}", p.z));
    };
    pair(0, "SECTION");
    pair(2, "HEADER");
    pair(9, "$ACADVER");
    pair(1, "AC1009");
    pair(9, "$INSUNITS"); // defined from release 15 on, but readers also use it in older files
    pair(70, rowOf(unit).dxf);
    pair(0, "ENDSEC");
    pair(0, "SECTION");
    pair(2, "ENTITIES");
    for (const SectionDrawing::Line& line : drawing.lines) {
        checkStop(stop);
        constexpr int closed = 1, in3d = 8, vertexOf3d = 32;
        pair(0, "POLYLINE");
        pair(8, "section");
        pair(66, 1); // flag: vertices follow
        place({});
        pair(70, in3d + (line.isClosed ? closed : 0));
        for (const SectionDrawing::Point& point : line.points) {
            pair(0, "VERTEX");
            pair(8, "section");
            place(drawing.inFile(point));
            pair(70, vertexOf3d);
        }
        pair(0, "SEQEND");
        pair(8, "section");
    }
    pair(0, "ENDSEC");
    pair(0, "EOF");
}

void writeSvg(std::ostream& out, const SectionDrawing& drawing, const SectionWriting& options,
              const std::stop_token& stop) {
    const double scale = options.scale;
    const LengthUnit unit = options.unit;
    constexpr double margin = 10, barRoom = 12;            // millimetres on paper
    const double factor = 1000 * paperMetres(unit, scale); // millimetres on paper per unit of the drawing
    const double width = drawing.width() * factor + 2 * margin,
                 height = drawing.height() * factor + 2 * margin + barRoom;
    const auto x = [&](double right) { return margin + (right - drawing.low[0]) * factor; };
    const auto y = [&](double above) { return margin + (drawing.high[1] - above) * factor; };
    out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        << fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.3f}mm\" height=\"{1:.3f}mm\" "
                       "viewBox=\"0 0 {0:.3f} {1:.3f}\">\n",
                       width, height)
        << fmt::format("<title>Section, 1:{:g}</title>\n", scale)
        << "<g fill=\"none\" stroke=\"black\" stroke-width=\"0.25\" stroke-linejoin=\"round\">\n";
    for (const SectionDrawing::Line& line : drawing.lines) {
        checkStop(stop);
        out << (line.isClosed ? "<polygon points=\"" : "<polyline points=\"");
        for (std::size_t i = 0; i < line.points.size(); ++i)
            out << fmt::format("{}{:.3f},{:.3f}", i > 0 ? " " : "", x(line.points[i][0]),
                               y(line.points[i][1]));
        out << "\"/>\n";
    }
    const double bar = scaleBarLength(drawing.width()) * factor, barY = height - margin;
    out << fmt::format("<path d=\"M{0:.3f} {1:.3f}v3h{2:.3f}v-3\"/>\n</g>\n", margin, barY - 3, bar)
        << fmt::format("<text x=\"{:.3f}\" y=\"{:.3f}\" font-family=\"sans-serif\" font-size=\"3.5\">{}, "
                       "1:{:g}</text>\n",
                       margin + bar + 2, barY, plainLengthText(scaleBarLength(drawing.width()), unit), scale)
        << "</svg>\n";
}

} // namespace

double scaleBarLength(double width) {
    const double most = std::max(width, 1e-6) / 5;
    const double unit = std::pow(10.0, std::floor(std::log10(most)));
    for (const double times : {5.0, 2.0})
        if (times * unit <= most)
            return times * unit;
    return unit;
}

double paperMetres(LengthUnit unit, double scale) {
    if (!(rowOf(unit).metres > 0))
        throw EngineError(
            fmt::format(
                "An .svg drawing needs a unit of length for its scale, but the coordinates are in {}.",
                unit == LengthUnit::degree ? "degrees" : "an unknown unit"),
            unit == LengthUnit::degree
                ? "Project the scan to a coordinate system in metres or feet first, or write a .dxf file."
                : "Set the unit of the scan, or write a .dxf file.");
    return rowOf(unit).metres / scale;
}

const std::vector<std::string>& sectionEndings() {
    static const std::vector<std::string> endings{".dxf", ".svg"};
    return endings;
}

void writeSection(const std::filesystem::path& target, const SectionDrawing& drawing,
                  const SectionWriting& options, const std::stop_token& stop) {
    if (drawing.lines.empty())
        throw EngineError(
            "The plane of the section does not intersect the surface, so there is no line to write.",
            "Move the section to the surface.");
    const std::string ending = options.ending.empty() ? lowerEnding(target) : options.ending;
    if (ending != ".dxf" && ending != ".svg")
        throw EngineError(fmt::format("Sections can't be written in the format '{}'.", ending),
                          "Use a file name that ends in .dxf or .svg.");
    if (!(options.scale > 0) || !std::isfinite(options.scale))
        throw EngineError(
            fmt::format("The scale of the drawing must be above 0 (got 1:{:g}).", options.scale),
            "Use a scale such as 1:100.");
    writeAtomically(
        target,
        [&](std::ostream& out) {
            if (ending == ".dxf")
                writeDxf(out, drawing, options.unit, stop);
            else
                writeSvg(out, drawing, options, stop);
        },
        stop);
}

} // namespace scanloupe
