// Reads the vertices of Wavefront OBJ files as points.
#include "engine/io/obj/read_obj.h"

#include "engine/cloud/damage.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/cloud_builder.h"
#include "engine/io/common/mesh_warning.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/text/utf8.h"
#include "engine/io/obj/obj_rows.h"
#include "engine/io/text/text_rows.h"
#include "engine/io/text/text_tokens.h"
#include "kernels/core/parallel.h"
#include "kernels/voxelize/core/voxel_strategy.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>

namespace scanloupe {

namespace {

constexpr std::size_t kMaxValues = 7; // values of a vertex: x y z red green blue alpha

/// Counts of the rows in a chunk of the file. prefixSums() replaces `vertices` and `normals` by the totals of
/// all previous chunks.
struct ObjPart {
    std::uint64_t vertices = 0, normals = 0, faces = 0;
    std::size_t maxValues = 0; ///< maximum number of values of a vertex
    ObjNormalCheck normalCheck;
    std::vector<std::size_t> malformed; ///< indices of vertices without three numbers
    int decimals = 0;                   ///< maximum number of decimals of a coordinate
};

/// Counts the rows of a chunk by keyword, and checks the corners of its faces.
ObjPart countRows(std::span<const char> text, char newline) {
    ObjPart part;
    TextNumber numbers[kMaxValues];
    visitRows(text, newline, [&](const char* p, const char* end) {
        switch (parseObjKeyword(p, end)) {
        case ObjKeyword::vertex:
            ++part.vertices;
            part.maxValues = std::max(part.maxValues, parseObjNumbers(p, end, numbers, kMaxValues));
            break;
        case ObjKeyword::normal:
            ++part.normals;
            break;
        case ObjKeyword::face:
            ++part.faces;
            part.normalCheck.add(p, end, static_cast<std::int64_t>(part.vertices),
                                 static_cast<std::int64_t>(part.normals));
            break;
        case ObjKeyword::other:
            break;
        }
        return true;
    });
    return part;
}

/// Replaces the counts of vertices and normals by their exclusive prefix sums, and returns the totals. In the
/// totals, `normalCheck.inconsistent` is set if a normal belongs to a vertex with another number.
ObjPart prefixSums(std::vector<ObjPart>& parts) {
    ObjPart sum;
    for (ObjPart& part : parts) {
        const auto normalOffset =
            static_cast<std::int64_t>(sum.normals) - static_cast<std::int64_t>(sum.vertices);
        sum.normalCheck.inconsistent = sum.normalCheck.inconsistent || part.normalCheck.inconsistent ||
                                       part.normalCheck.normalOffset.value_or(normalOffset) != normalOffset;
        sum.maxValues = std::max(sum.maxValues, part.maxValues);
        sum.faces += part.faces;
        std::swap(sum.vertices, part.vertices);
        std::swap(sum.normals, part.normals);
        sum.vertices += part.vertices;
        sum.normals += part.normals;
    }
    return sum;
}

std::vector<Field> fieldsOf(const ObjPart& all, bool normals) {
    std::vector<Field> fields;
    for (const char* name : {"x", "y", "z"})
        fields.push_back({name, ScalarType::float64});
    if (all.maxValues >= 6) // a fourth value alone is the weight of a rational curve
        for (const char* name : {"red", "green", "blue"})
            fields.push_back({name, ScalarType::float32});
    if (all.maxValues >= 7)
        fields.push_back({"alpha", ScalarType::float32});
    if (normals)
        for (const char* name : {"nx", "ny", "nz"})
            fields.push_back({name, ScalarType::float32});
    return fields;
}

void store(const ColumnTarget& target, std::size_t row, double value) {
    std::byte* to = target.data + row * target.stride;
    const auto single = static_cast<float>(value);
    if (target.type == ScalarType::float32)
        std::memcpy(to, &single, sizeof(single));
    else
        std::memcpy(to, &value, sizeof(value));
}

/// Parses the vertices of a chunk into the first columns, and its normals into the last three columns.
void parseChunk(std::span<const char> text, char newline, bool withNormals, const CloudBuilder& builder,
                ObjPart& part) {
    constexpr double missing = std::numeric_limits<double>::quiet_NaN();
    const std::span<const ColumnTarget> targets = builder.targets();
    const auto normals = targets.last(withNormals ? 3 : 0),
               values = targets.first(targets.size() - normals.size());
    std::size_t vertex = static_cast<std::size_t>(part.vertices),
                normal = static_cast<std::size_t>(part.normals);
    TextNumber numbers[kMaxValues];
    visitRows(text, newline, [&](const char* p, const char* end) {
        const ObjKeyword keyword = parseObjKeyword(p, end);
        if (keyword == ObjKeyword::vertex) {
            std::size_t count = parseObjNumbers(p, end, numbers, values.size());
            if (count < 3)
                part.malformed.push_back(vertex);
            if (count < 6)
                count = std::min<std::size_t>(count, 3);
            for (std::size_t c = 0; c < values.size(); ++c)
                store(values[c], vertex, c < count ? numbers[c].value : missing);
            for (std::size_t c = 0; c < std::min<std::size_t>(count, 3); ++c)
                part.decimals = std::max(part.decimals, numbers[c].decimals);
            ++vertex;
        } else if (keyword == ObjKeyword::normal && withNormals) {
            const std::size_t count = parseObjNumbers(p, end, numbers, 3);
            for (std::size_t c = 0; c < 3; ++c)
                store(normals[c], normal, c < count ? numbers[c].value : missing);
            ++normal;
        }
        return true;
    });
}

/// Removes the vertices without three numbers from the cloud, and returns the number of removed vertices.
std::size_t removeMalformed(const std::vector<ObjPart>& parts, CloudBuilder& builder) {
    std::size_t removed = 0, from = 0;
    const auto keep = [&](std::size_t end) {
        builder.moveRows(from - removed, from, end - from);
        from = end + 1;
    };
    for (const ObjPart& part : parts)
        for (const std::size_t row : part.malformed) {
            keep(row);
            ++removed;
        }
    if (removed > 0) {
        keep(builder.rows());
        builder.shrink(builder.rows() - removed);
    }
    return removed;
}

} // namespace

bool beginsObj(std::string_view head) {
    head = withoutByteOrderMark(head);
    static const std::set<std::string, std::less<>> known = {
        "v", "vn", "vt", "vp",     "f",      "fo",     "l",   "p",    "o",
        "g", "s",  "mg", "mtllib", "usemtl", "cstype", "deg", "curv", "surf"};
    bool vertex = false;
    const char newline = head.find('\n') == std::string_view::npos ? '\r' : '\n';
    std::string joined(head);
    joinContinuedLines(joined, newline);
    for (const TextLine& line : splitLines(joined, 0, newline, true)) {
        if (line.comment)
            continue;
        const std::string_view word = line.text.substr(0, line.text.find_first_of(" \t"));
        if (word == line.text || !known.contains(word))
            return vertex &&
                   line.offset + line.text.size() + 1 >= head.size(); // a last line may be incomplete
        vertex = vertex || (word == "v" && splitTokens(line.text, ' ').size() >= 4);
    }
    return vertex;
}

std::shared_ptr<const PointCloud> readObj(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop) {
    ProgressMeter meter(options.progress, 3 * file.size());
    const char newline = file.head(4096).find('\n') == std::string::npos ? '\r' : '\n';
    const TextRows rows(file, 0, newline, meter, stop, LineContinuation::backslash);
    const auto chunks = rows.chunks(0, rows.count());
    std::vector<ObjPart> parts(chunks.size());
    parallelChunks(chunks.size(), 1, stop, [&](std::size_t c, std::size_t, std::size_t) {
        parts[c] = countRows(rows.load(chunks[c]), newline);
        meter.add(chunks[c].end - chunks[c].begin);
    });
    const ObjPart all = prefixSums(parts);
    const bool normals = all.normals > 0 && all.normals == all.vertices && !all.normalCheck.inconsistent;
    if (all.vertices == 0)
        throw EngineError("the OBJ file '" + file.name() + "' has no vertices",
                          "Export the mesh again with its vertices, or as PLY.");
    CloudBuilder builder(file, fieldsOf(all, normals), static_cast<std::size_t>(all.vertices));
    parallelChunks(chunks.size(), 1, stop, [&](std::size_t c, std::size_t, std::size_t) {
        parseChunk(rows.load(chunks[c]), newline, normals, builder, parts[c]);
        meter.add(chunks[c].end - chunks[c].begin);
    });
    const std::size_t malformed = removeMalformed(parts, builder);
    if (builder.rows() == 0)
        throwNothingWhole(file, all.vertices);
    int decimals = 0;
    for (const ObjPart& part : parts)
        decimals = std::max(decimals, part.decimals);
    auto cloud = builder.finish(decimals, stop);
    cloud->format = "OBJ text";
    warnOfFaces(*cloud, all.faces, false);
    if (malformed > 0)
        addDamage(*cloud, std::to_string(malformed) +
                              " vertices were left out: they don't have three numbers for x, y, z.");
    if (all.normals > 0 && !normals)
        cloud->warnings.push_back(
            "The file's " + std::to_string(all.normals) +
            " normals were left out: they belong to corners of faces, not to vertices.");
    return cloud;
}

} // namespace scanloupe
