// Reads the faces of PLY files.
#include "engine/io/common/mesh_warning.h"
#include "engine/io/common/progress_meter.h"
#include "engine/io/common/text/text_number.h"
#include "engine/io/ply/ply_elements.h"
#include "engine/io/ply/ply_header.h"
#include "engine/io/ply/read_ply.h"
#include "engine/io/text/text_rows.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <vector>

namespace scanloupe {

namespace {

constexpr std::uint64_t kFacesPerPoll = std::uint64_t{1} << 14; // faces between two polls of the stop token

bool isFaces(const PlyElement& element) {
    return element.name == "face" || element.name == "tristrips";
}
bool isCorners(const PlyProperty& property) {
    return property.list && property.name.starts_with("vertex_ind");
}

/// Converts a number of the file to a vertex index; -1 if it is not a 32-bit index.
std::int64_t cornerOf(double value) {
    return value >= 0 && value < 4294967296.0 ? std::int64_t(value) : -1;
}

void add(const PlyElement& element, std::span<const std::int64_t> corners, FaceCollector& faces) {
    if (element.name == "tristrips")
        faces.addStrip(corners);
    else
        faces.addPolygon(corners);
}

/// Reads all faces of an element. Returns false if the file ends within them.
bool readBinaryFaces(BlockReader& reader, const PlyElement& element, bool swapped, FaceCollector& faces,
                     const std::stop_token& stop) {
    std::vector<std::int64_t> corners;
    if (element.properties.empty())
        return true;
    for (std::uint64_t i = 0; i < element.count; ++i) {
        if (i % kFacesPerPoll == 0 && stop.stop_requested())
            throw Cancelled();
        for (const PlyProperty& property : element.properties) {
            if (!isCorners(property)) {
                if (!skipPlyProperty(reader, property, swapped))
                    return false;
                continue;
            }
            const std::optional<double> length = readPlyNumber(reader, property.countType, swapped);
            if (!length || *length < 0 || *length > 4294967295.0)
                return false;
            corners.clear();
            for (auto left = std::uint64_t(*length); left > 0; --left) {
                const std::optional<double> corner = readPlyNumber(reader, property.type, swapped);
                if (!corner)
                    return false;
                corners.push_back(cornerOf(*corner));
            }
            add(element, corners, faces);
        }
    }
    return true;
}

/// Parses the corners in the row [p, end) of an ascii file. Returns false if the row is incomplete.
bool parseRow(const char* p, const char* end, const PlyElement& element, std::vector<std::int64_t>& corners) {
    corners.clear();
    const auto next = [&](double& value) {
        while (p < end && isTextBlank(*p))
            ++p;
        if (p == end)
            return false;
        const TextNumber number = parseNumber(p, end, ' ');
        value = number.value;
        p = number.end;
        return number.end != nullptr;
    };
    for (const PlyProperty& property : element.properties) {
        double count = 1, value = 0;
        if (property.list && (!next(count) || !(count >= 0)))
            return false;
        for (double left = count; left >= 1; --left) {
            if (!next(value))
                return false;
            if (isCorners(property))
                corners.push_back(cornerOf(value));
        }
    }
    return true;
}

void readTextFaces(const InputFile& file, const PlyHeader& header, FaceCollector& faces,
                   const std::stop_token& stop) {
    // progress is not reported, since reading the vertices takes most of the time
    const ProgressFunction nobody;
    ProgressMeter meter(nobody, file.size());
    const TextRows rows(file, header.bodyOffset, header.newline, meter, stop);
    std::uint64_t first = 0;
    std::vector<std::int64_t> corners;
    for (const PlyElement& element : header.elements) {
        const std::uint64_t count = element.properties.empty() ? 0 : element.count;
        if (isFaces(element)) {
            const std::uint64_t there = std::min(count, rows.count() - std::min(first, rows.count()));
            if (there < count)
                faces.endsEarly();
            for (const TextChunk& chunk : rows.chunks(first, there)) {
                if (stop.stop_requested())
                    throw Cancelled();
                std::uint64_t row = chunk.firstRow;
                visitRows(rows.load(chunk), header.newline, [&](const char* p, const char* end) {
                    if (row >= first && row < first + there) {
                        if (!parseRow(p, end, element, corners))
                            corners.assign(1, -1); // counts as a face without valid vertices
                        add(element, corners, faces);
                    }
                    ++row;
                    return true;
                });
            }
        }
        first += count;
    }
}

} // namespace

void readPlyFaces(const InputFile& file, FaceCollector& faces, const std::stop_token& stop) {
    const PlyHeader header = readPlyHeader(file);
    for (const PlyElement& element : header.elements)
        if (element.name == "vertex")
            requireAllVertices(file, faces.vertices(), element.count);
    if (header.encoding == PlyHeader::Encoding::ascii)
        return readTextFaces(file, header, faces, stop);
    BlockReader reader(file, header.bodyOffset);
    for (const PlyElement& element : header.elements) {
        const bool isWhole = isFaces(element)
                                 ? readBinaryFaces(reader, element, header.swapped(), faces, stop)
                                 : skipPlyElement(reader, element, header.swapped(), stop);
        if (!isWhole)
            return faces.endsEarly();
    }
}

} // namespace scanloupe
