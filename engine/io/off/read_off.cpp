// Reads the vertices of OFF files as points.
#include "engine/io/off/read_off.h"

#include "engine/cloud/damage.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/mesh_warning.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/records.h"
#include "engine/io/off/off_header.h"
#include "engine/io/text/text_columns.h"
#include "engine/io/text/text_parse.h"
#include "engine/io/text/text_tokens.h"
#include "kernels/voxelize/core/voxel_strategy.h"

#include <algorithm>
#include <bit>

namespace scanloupe {

namespace {

constexpr std::size_t kSampleBytes = std::size_t{1} << 16;
constexpr std::size_t kSampleRows = 200;
constexpr std::size_t kMaxOffColumns = 12; // position, normal, colour with alpha, texture coordinates

/// Returns the names of the columns of a vertex, in the order of the format: position, normal, colour,
/// texture coordinates.
std::vector<std::string> columnNames(const OffHeader& header, std::size_t columns) {
    std::vector<std::string> names = {"x", "y", "z"};
    const auto append = [&](std::initializer_list<const char*> more) {
        for (const char* name : more)
            if (names.size() < columns)
                names.emplace_back(name);
    };
    if (header.normals)
        append({"nx", "ny", "nz"});
    // many programs write colours without the letter C in the keyword
    const std::size_t texture = header.texture ? 2 : 0;
    if (columns >= names.size() + texture + 3)
        append({"red", "green", "blue"});
    if (names.size() > 3 && names.back() == "blue" && columns > names.size() + texture)
        append({"alpha"});
    if (header.texture)
        append({"s", "t"});
    while (names.size() < columns)
        names.push_back("column_" + std::to_string(names.size() + 1));
    return names;
}

/// Returns the tokens of the first vertices: [rows][tokens].
std::vector<std::vector<std::string>> sampleRows(const InputFile& file, const OffHeader& header) {
    const std::uint64_t left = file.size() - header.bodyOffset;
    std::string text(static_cast<std::size_t>(std::min<std::uint64_t>(kSampleBytes, left)), '\0');
    file.read(header.bodyOffset, std::span<char>(text));
    std::vector<std::vector<std::string>> rows;
    for (const TextLine& line : splitLines(text, 0, header.newline, text.size() == left)) {
        if (rows.size() == std::min<std::uint64_t>(kSampleRows, header.vertices))
            break;
        if (!line.comment)
            rows.push_back(splitTokens(line.text.substr(0, line.text.find('#')), ' '));
    }
    return rows;
}

TextLayout layoutOf(const InputFile& file, const OffHeader& header) {
    TextLayout layout;
    layout.hasComments = true;
    std::vector<ColumnSample> samples(kMaxOffColumns);
    std::vector<bool> fractions(kMaxOffColumns);
    std::size_t columns = kMaxOffColumns;
    for (const auto& row : sampleRows(file, header)) {
        columns = std::min(columns, row.size());
        if (row.size() > kMaxOffColumns)
            throw EngineError("a row of '" + file.name() + "' has " + std::to_string(row.size()) +
                                  " values, but a vertex of OFF has at most " +
                                  std::to_string(kMaxOffColumns),
                              "Put each vertex on a separate line, or save the mesh as PLY.");
        for (std::size_t c = 0; c < row.size(); ++c) {
            samples[c].add(row[c]);
            fractions[c] = fractions[c] || row[c].find('.') != std::string::npos;
        }
    }
    for (const std::string& name : columnNames(header, std::max<std::size_t>(columns, 3))) {
        const std::size_t c = layout.fields.size();
        TextField field;
        field.name = name;
        // a fraction such as 1.0 means that colours are from 0 to 1, not from 0 to 255
        field.type = c < 3 ? ScalarType::float64 : fractions[c] ? ScalarType::float32 : samples[c].type();
        field.widens = true;
        layout.fields.push_back(field);
    }
    return layout;
}

std::shared_ptr<PointCloud> readAscii(const InputFile& file, const OffHeader& header,
                                      const ReadOptions& options, const std::stop_token& stop,
                                      std::uint64_t& faces) {
    ProgressMeter meter(options.progress, 5 * (file.size() - header.bodyOffset));
    const TextRows rows(file, header.bodyOffset, header.newline, meter, stop);
    const RowRange range{0, std::min(header.vertices, rows.count())};
    faces = std::min(header.faces, rows.count() - range.count);
    if (range.count == 0 && header.vertices > 0)
        throwNothingWhole(file, header.vertices);
    return parseRows(file, rows, layoutOf(file, header), std::span(&range, 1), nullptr, meter, stop);
}

std::shared_ptr<PointCloud> readBinary(const InputFile& file, const OffHeader& header,
                                       const ReadOptions& options, const std::stop_token& stop,
                                       std::uint64_t& faces) {
    RecordLayout layout;
    layout.offset = header.bodyOffset;
    layout.swapped = std::endian::native == std::endian::little;
    const std::size_t columns =
        3u + (header.normals ? 3 : 0) + (header.colours ? 4 : 0) + (header.texture ? 2 : 0);
    for (const std::string& name : columnNames(header, columns))
        layout.fields.push_back({name, ScalarType::float32});
    const auto whole = static_cast<std::size_t>(layout.wholeRecords(file, header.vertices));
    if (whole == 0 && header.vertices > 0)
        throwNothingWhole(file, header.vertices);
    CloudBuilder builder(file, layout.fields, whole);
    readRecords(file, layout, builder, options.progress, stop);
    constexpr std::uint64_t faceBytes = 20; // corner count, three vertices and colour count
    faces =
        std::min(header.faces, (file.size() - header.bodyOffset - whole * layout.recordSize()) / faceBytes);
    return builder.finish(-1, stop);
}

} // namespace

std::shared_ptr<const PointCloud> readOff(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop) {
    const OffHeader header = readOffHeader(file);
    std::uint64_t faces = 0;
    auto cloud = header.binary ? readBinary(file, header, options, stop, faces)
                               : readAscii(file, header, options, stop, faces);
    cloud->format = header.binary ? "OFF binary" : "OFF text";
    warnOfFaces(*cloud, header.faces, cloud->size() == header.vertices && faces < header.faces);
    if (cloud->size() < header.vertices)
        addDamage(*cloud, truncationWarning(cloud->size(), header.vertices));
    return cloud;
}

} // namespace scanloupe
