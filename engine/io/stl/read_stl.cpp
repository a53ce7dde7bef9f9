// Reads the vertices of STL files, binary or ascii, as points.
#include "engine/io/stl/read_stl.h"

#include "engine/cloud/damage.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/cloud_builder.h"
#include "engine/io/common/little_endian.h"
#include "engine/io/common/mesh_warning.h"
#include "engine/io/common/progress_meter.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/text/utf8.h"
#include "engine/io/common/vertex_welder.h"
#include "engine/io/obj/obj_rows.h"
#include "engine/io/stl/stl_format.h"
#include "engine/io/text/text_rows.h"
#include "kernels/core/parallel.h"
#include "kernels/voxelize/core/voxel_strategy.h"

#include <algorithm>
#include <cctype>

namespace scanloupe {

namespace {

using namespace detail;

constexpr std::size_t kFacetsPerBlock = std::size_t{1} << 13; // blocks of 400 KiB
constexpr std::size_t kChunksPerBatch = 64;                   // a chunk has 256 KiB of text

bool startsWithWord(std::string_view text, std::string_view word) {
    return text.size() >= word.size() &&
           std::equal(word.begin(), word.end(), text.begin(),
                      [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
}

std::uint32_t claimedFacets(std::string_view head) {
    return loadLittle<std::uint32_t>(reinterpret_cast<const std::byte*>(head.data()) + kStlTitleBytes);
}

bool hasBinaryLength(const InputFile& file, std::string_view head) {
    return head.size() >= kStlFacetsOffset && claimedFacets(head) > 0 &&
           file.size() == kStlFacetsOffset + std::uint64_t{kStlFacetBytes} * claimedFacets(head);
}

/// Removes a leading byte order mark and blank lines.
std::string_view fromFirstLine(std::string_view head) {
    head = withoutByteOrderMark(head);
    head.remove_prefix(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
    return head;
}

/// Returns whether a file is ascii STL. Titles of some binary files also begin with "solid". Such files are
/// recognized by the length that their count implies, or by bytes of value 0.
bool isText(const InputFile& file, std::string_view head) {
    return startsWithWord(fromFirstLine(head), "solid") && !hasBinaryLength(file, head) &&
           head.find('\0') == std::string_view::npos;
}

struct StlVertices {
    std::shared_ptr<PointCloud> cloud;
    std::uint64_t facets = 0;
};

/// Creates the cloud of welded positions, translated by the origin that the title states. @param decimals
/// number of decimals of the coordinates; -1: unknown
template <class Position>
std::shared_ptr<PointCloud> makeCloud(const InputFile& file, const std::vector<Position>& vertices,
                                      std::string_view title, int decimals, const std::stop_token& stop) {
    const std::optional<Vec3d> origin = stlOrigin(title);
    const bool wide = origin || std::is_same_v<Position, Vec3d>;
    std::vector<Field> fields;
    for (const char* name : {"x", "y", "z"})
        fields.push_back({name, wide ? ScalarType::float64 : ScalarType::float32});
    CloudBuilder builder(file, fields, vertices.size());
    std::visit(
        [&](auto& held) {
            using Stored = std::remove_cvref_t<decltype(held.xyz[0])>;
            for (std::size_t i = 0; i < vertices.size(); ++i) {
                if constexpr (std::is_same_v<Stored, Vec3d>)
                    held.xyz[i] = vertices[i].template as<double>() + origin.value_or(Vec3d{});
                else if constexpr (std::is_same_v<Stored, Position>)
                    held.xyz[i] = vertices[i];
            }
        },
        builder.positions());
    return builder.finish(origin ? -1 : decimals, stop);
}

/// The facets of a file.
struct StlFacets {
    std::vector<std::int64_t> corners; ///< vertex index of each corner
    std::vector<std::size_t> ends;     ///< end of each facet in `corners`
};

/// Reads a binary file. @param facets receives the facets unless null
StlVertices readBinary(const InputFile& file, const ReadOptions& options, StlFacets* facets,
                       const std::stop_token& stop) {
    const std::string head = file.head(kStlFacetsOffset);
    const bool hasHeader = head.size() == kStlFacetsOffset;
    const std::uint64_t available = hasHeader ? (file.size() - kStlFacetsOffset) / kStlFacetBytes : 0;
    const std::uint64_t counted = hasHeader ? claimedFacets(head) : 0;
    const std::uint64_t claimed = counted > 0 ? counted : available; // some writers write a count of zero
    const std::uint64_t whole = std::min(claimed, available);
    if (!hasHeader)
        throw EngineError("the STL file '" + file.name() + "' has " + std::to_string(file.size()) +
                              " bytes, but the header alone has " + std::to_string(kStlFacetsOffset),
                          "The file is truncated or of another format. Copy or export it again.");
    if (claimed > 0 && whole == 0)
        throw EngineError("the header of the STL file '" + file.name() + "' specifies " +
                              std::to_string(claimed) + " triangles, but the file's " +
                              std::to_string(file.size()) + " bytes contain no complete one",
                          "The file is truncated or of another format. Copy or export it again.");
    VertexWelder<Vec3f> welder(file.name());
    ProgressMeter meter(options.progress, whole);
    std::vector<std::byte> block(std::min<std::uint64_t>(whole, kFacetsPerBlock) * kStlFacetBytes);
    for (std::uint64_t first = 0; first < whole; first += kFacetsPerBlock) {
        if (stop.stop_requested())
            throw Cancelled();
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kFacetsPerBlock, whole - first));
        file.read(kStlFacetsOffset + first * kStlFacetBytes, std::span(block).first(count * kStlFacetBytes));
        for (std::size_t facet = 0; facet < count; ++facet) {
            const std::byte* corner = block.data() + facet * kStlFacetBytes + kStlNormalBytes;
            for (int c = 0; c < 3; ++c, corner += sizeof(Vec3f)) {
                const std::size_t vertex =
                    welder.add({loadLittle<float>(corner), loadLittle<float>(corner + 4),
                                loadLittle<float>(corner + 8)});
                if (facets)
                    facets->corners.push_back(std::int64_t(vertex));
            }
            if (facets)
                facets->ends.push_back(facets->corners.size());
        }
        meter.add(count);
    }
    const std::string_view title = std::string_view(head).substr(0, kStlTitleBytes);
    StlVertices result{makeCloud(file, welder.vertices(), title, -1, stop), whole};
    result.cloud->format = "STL binary";
    if (whole < claimed)
        addDamage(*result.cloud, "The file is truncated: it contains " + std::to_string(whole) + " of " +
                                     std::to_string(claimed) + " triangles; their vertices were loaded.");
    else if (counted < available)
        result.cloud->warnings.push_back(
            "The header specifies " + std::to_string(counted) + " triangles, but the file contains " +
            std::to_string(available) + "; " +
            (counted > 0 ? "the additional ones were ignored." : "all were read."));
    return result;
}

/// Content of a chunk of an ascii file.
struct StlChunk {
    std::vector<Vec3d> corners;
    std::vector<std::size_t> facetEnds;      ///< end of each facet in `corners`
    std::uint64_t facets = 0, malformed = 0; ///< complete facets; vertex lines without three numbers
    bool ends = false;                       ///< whether the chunk contains "endsolid"
    int decimals = 0;
};

StlChunk parseChunk(std::span<const char> text, char newline) {
    StlChunk chunk;
    visitRows(text, newline, [&](const char* p, const char* end) {
        while (p < end && isTextBlank(*p))
            ++p;
        const std::string_view row(p, static_cast<std::size_t>(end - p));
        TextNumber numbers[3];
        if (startsWithWord(row, "vertex")) {
            if (parseObjNumbers(p + 6, end, numbers, 3) == 3)
                chunk.corners.push_back({numbers[0].value, numbers[1].value, numbers[2].value});
            else
                ++chunk.malformed;
            for (const TextNumber& number : numbers)
                chunk.decimals = std::max(chunk.decimals, number.decimals);
        } else if (startsWithWord(row, "endfacet")) {
            ++chunk.facets;
            chunk.facetEnds.push_back(chunk.corners.size());
        } else if (startsWithWord(row, "endsolid")) {
            chunk.ends = true;
        }
        return true;
    });
    return chunk;
}

StlVertices readText(const InputFile& file, const ReadOptions& options, StlFacets* facets,
                     const std::stop_token& stop) {
    ProgressMeter meter(options.progress, 2 * file.size());
    const std::string head = file.head(4096);
    const char newline = head.find('\n') == std::string::npos ? '\r' : '\n';
    const TextRows rows(file, 0, newline, meter, stop);
    const auto chunks = rows.chunks(0, rows.count());
    VertexWelder<Vec3d> welder(file.name());
    StlChunk sum;
    // only a few chunks at a time, since corners need more memory than welded vertices
    for (std::size_t first = 0; first < chunks.size(); first += kChunksPerBatch) {
        std::vector<StlChunk> parsedChunks(std::min(kChunksPerBatch, chunks.size() - first));
        parallelChunks(parsedChunks.size(), 1, stop, [&](std::size_t c, std::size_t, std::size_t) {
            parsedChunks[c] = parseChunk(rows.load(chunks[first + c]), newline);
            meter.add(chunks[first + c].end - chunks[first + c].begin);
        });
        for (const StlChunk& chunk : parsedChunks) {
            const std::size_t before = facets ? facets->corners.size() : 0;
            for (const Vec3d& corner : chunk.corners) {
                const std::size_t vertex = welder.add(corner);
                if (facets)
                    facets->corners.push_back(std::int64_t(vertex));
            }
            for (std::size_t i = 0; facets && i < chunk.facetEnds.size(); ++i)
                facets->ends.push_back(before + chunk.facetEnds[i]);
            sum.facets += chunk.facets;
            sum.malformed += chunk.malformed;
            sum.ends = chunk.ends || sum.ends;
            sum.decimals = std::max(sum.decimals, chunk.decimals);
        }
    }
    if (welder.vertices().empty())
        throw EngineError("the STL file '" + file.name() + "' has no vertices",
                          "The file is truncated, or the mesh is empty. Export the mesh again.");
    std::string_view title = fromFirstLine(head);
    title = title.substr(0, title.find_first_of("\r\n"));
    title.remove_prefix(std::min<std::size_t>(title.size(), 6)); // removes "solid "
    StlVertices result{makeCloud(file, welder.vertices(), title, sum.decimals, stop), sum.facets};
    result.cloud->format = "STL text";
    if (sum.malformed > 0)
        addDamage(*result.cloud,
                  std::to_string(sum.malformed) +
                      " corners of triangles were left out: they don't have three numbers for x, y, z.");
    if (!sum.ends)
        addDamage(*result.cloud,
                  "The file is truncated: the line 'endsolid' is missing. The vertices of " +
                      std::to_string(sum.facets) +
                      " complete triangles, and of an incomplete one at the end, were loaded.");
    return result;
}

} // namespace

bool beginsStl(const InputFile& file, std::string_view head) {
    const bool text = isText(file, head) && (head.find("facet") != std::string_view::npos ||
                                             head.find("FACET") != std::string_view::npos);
    return text || hasBinaryLength(file, head);
}

std::shared_ptr<const PointCloud> readStl(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop) {
    StlVertices read = isText(file, file.head(4096)) ? readText(file, options, nullptr, stop)
                                                     : readBinary(file, options, nullptr, stop);
    warnOfFaces(*read.cloud, read.facets, false);
    return read.cloud;
}

void readStlFaces(const InputFile& file, FaceCollector& faces, const std::stop_token& stop) {
    StlFacets facets;
    if (isText(file, file.head(4096)))
        readText(file, {}, &facets, stop);
    else
        readBinary(file, {}, &facets, stop);
    std::size_t begin = 0;
    for (const std::size_t end : facets.ends) {
        faces.addPolygon(std::span(facets.corners).subspan(begin, end - begin));
        begin = end;
    }
    if (begin < facets.corners.size())
        faces.endsEarly();
}

} // namespace scanloupe
