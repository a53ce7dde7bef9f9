// Reads the faces of Wavefront OBJ files.
#include "engine/io/common/progress_meter.h"
#include "engine/io/obj/obj_rows.h"
#include "engine/io/obj/read_obj.h"
#include "engine/io/text/text_rows.h"
#include "kernels/core/error.h"

#include <charconv>
#include <vector>

namespace scanloupe {

namespace {

/// Parses the corners of a face, "v", "v/t", "v//n" or "v/t/n", into vertex indices from 0. In the file, v
/// counts from 1, or backwards from the latest vertex at -1. @param vertices number of vertices before the
/// face
void parseCorners(const char* p, const char* end, std::int64_t vertices, std::vector<std::int64_t>& corners) {
    corners.clear();
    while (true) {
        while (p < end && isTextBlank(*p))
            ++p;
        if (p == end || *p == '#')
            return;
        std::int64_t vertex = 0;
        std::from_chars(p + (*p == '+' ? 1 : 0), end, vertex);
        corners.push_back(vertex < 0 ? vertices + vertex : vertex - 1);
        while (p < end && !isTextBlank(*p))
            ++p;
    }
}

} // namespace

void readObjFaces(const InputFile& file, FaceCollector& faces, const std::stop_token& stop) {
    // progress is not reported, since reading the vertices takes most of the time
    const ProgressFunction nobody;
    ProgressMeter meter(nobody, file.size());
    const char newline = file.head(4096).find('\n') == std::string::npos ? '\r' : '\n';
    const TextRows rows(file, 0, newline, meter, stop, LineContinuation::backslash);
    const auto forRows = [&](auto&& visit) {
        for (const TextChunk& chunk : rows.chunks(0, rows.count())) {
            if (stop.stop_requested())
                throw Cancelled();
            const std::vector<char> text = rows.load(chunk);
            visitRows(text, newline, [&](const char* p, const char* end) {
                const ObjKeyword keyword = parseObjKeyword(p, end);
                visit(keyword, p, end);
                return true;
            });
        }
    };
    // row in the cloud for each vertex of the file; -1 for vertices without three numbers, which are not in
    // the cloud
    std::vector<std::int64_t> places;
    std::int64_t kept = 0;
    forRows([&](ObjKeyword keyword, const char* p, const char* end) {
        TextNumber numbers[3];
        if (keyword == ObjKeyword::vertex)
            places.push_back(parseObjNumbers(p, end, numbers, 3) == 3 ? kept++ : -1);
    });
    std::vector<std::int64_t> corners;
    std::int64_t before = 0; // number of vertices before the current row
    forRows([&](ObjKeyword keyword, const char* p, const char* end) {
        before += keyword == ObjKeyword::vertex;
        if (keyword != ObjKeyword::face)
            return;
        parseCorners(p, end, before, corners);
        for (std::int64_t& corner : corners)
            corner = corner >= 0 && std::size_t(corner) < places.size() ? places[std::size_t(corner)] : -1;
        faces.addPolygon(corners);
    });
}

} // namespace scanloupe
