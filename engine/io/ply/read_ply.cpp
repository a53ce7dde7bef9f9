// Reads the vertices of PLY files as points.
#include "engine/io/ply/read_ply.h"

#include "engine/cloud/damage.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/mesh_warning.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/records.h"
#include "engine/io/common/text/utf8.h"
#include "engine/io/ply/ply_elements.h"
#include "engine/io/ply/ply_header.h"
#include "engine/io/text/text_parse.h"
#include "kernels/core/scalar_type.h"

#include <algorithm>
#include <cstring>

namespace scanloupe {

namespace {

constexpr std::uint64_t kStopEvery = std::uint64_t{1} << 14; // elements between two polls of the stop token

std::vector<TextField> fieldsOf(const PlyElement& element) {
    std::vector<TextField> fields;
    for (const PlyProperty& property : element.properties) {
        TextField field;
        field.name = property.name;
        field.type = property.type;
        field.list = property.list;
        field.dropped = property.list;
        const bool coordinate = property.name.size() == 1 && std::strchr("xyzXYZ", property.name[0]);
        field.widens = coordinate && property.type == ScalarType::float32;
        fields.push_back(field);
    }
    return fields;
}

/// Reads vertices one by one, since lists make their sizes vary. Returns the number of complete vertices.
std::size_t readVerticesWithLists(BlockReader& reader, const PlyElement& vertex, bool swapped,
                                  CloudBuilder& builder, ProgressMeter& meter, const std::stop_token& stop) {
    for (std::size_t i = 0; i < builder.rows(); ++i) {
        if (i % kStopEvery == 0) {
            if (stop.stop_requested())
                throw Cancelled();
            meter.add(i == 0 ? 0 : kStopEvery);
        }
        for (std::size_t p = 0; p < vertex.properties.size(); ++p) {
            const PlyProperty& property = vertex.properties[p];
            if (property.list) {
                if (!skipPlyProperty(reader, property, swapped))
                    return i;
                continue;
            }
            const std::byte* bytes = reader.read(sizeOf(property.type));
            if (!bytes)
                return i;
            copyColumn(bytes, 0, property.type, swapped, builder.targets()[p], i, 1);
        }
    }
    return builder.rows();
}

std::shared_ptr<PointCloud> readBinary(const InputFile& file, const PlyHeader& header,
                                       const PlyElement& vertex, std::uint64_t offset,
                                       const ReadOptions& options, const std::stop_token& stop,
                                       std::uint64_t& rest) {
    RecordLayout layout;
    layout.offset = offset;
    layout.swapped = header.swapped();
    for (const TextField& field : fieldsOf(vertex))
        layout.fields.push_back(field);
    const std::uint64_t minVertexBytes = std::max<std::uint64_t>(1, vertex.minBytes());
    auto possible = static_cast<std::size_t>(std::min(vertex.count, (file.size() - offset) / minVertexBytes));
    if (options.subsample > 0) {
        if (vertex.hasLists() || !RowSubsample::isWorthIt(possible, options.subsample))
            return nullptr;
        layout.subsample.emplace(possible, options.subsample);
        possible = layout.subsample->size();
    }
    const bool onDemand = !layout.subsample && !vertex.hasLists() &&
                          readsOnDemand(options.attributes, attributeBytesOnDemand(layout.fields, possible));
    CloudBuilder builder(file, layout.fields, possible, 0, onDemand);
    std::size_t whole = possible;
    if (vertex.hasLists()) {
        BlockReader reader(file, offset);
        ProgressMeter meter(options.progress, possible);
        whole = readVerticesWithLists(reader, vertex, layout.swapped, builder, meter, stop);
        builder.shrink(whole);
        rest = file.size() - reader.position();
    } else {
        readRecords(file, layout, builder, options.progress, stop);
        rest = file.size() - offset - whole * layout.recordSize();
    }
    if (whole == 0 && vertex.count > 0)
        throwNothingWhole(file, vertex.count);
    auto cloud = builder.finish(-1, stop, onDemand ? attributesOfRecords(file, layout, builder) : nullptr);
    if (layout.subsample)
        cloud->subsampledFrom = layout.subsample->rows();
    else if (whole < vertex.count)
        addDamage(*cloud, truncationWarning(whole, vertex.count));
    return cloud;
}

std::shared_ptr<PointCloud> readAscii(const InputFile& file, const PlyHeader& header,
                                      const PlyElement& vertex, std::uint64_t rowsBefore,
                                      const ReadOptions& options, const std::stop_token& stop,
                                      std::uint64_t& rest) {
    ProgressMeter meter(options.progress, 5 * (file.size() - header.bodyOffset));
    const TextRows rows(file, header.bodyOffset, header.newline, meter, stop);
    const std::uint64_t left = rows.count() > rowsBefore ? rows.count() - rowsBefore : 0;
    const std::uint64_t count = std::min(vertex.count, left);
    rest = left - count;
    if (count == 0 && vertex.count > 0)
        throwNothingWhole(file, vertex.count);
    TextLayout layout;
    layout.fields = fieldsOf(vertex);
    const RowRange range{rowsBefore, count};
    layout.delimiter = delimiterOfDeclared(file, rows, range, layout.fields.size());
    auto cloud = parseRows(file, rows, std::move(layout), std::span(&range, 1), nullptr, meter, stop);
    if (count < vertex.count)
        addDamage(*cloud, truncationWarning(count, vertex.count));
    return cloud;
}

/// Returns the minimum size of a face with three vertices in a binary file, in bytes.
std::uint64_t minFaceBytes(const PlyElement& face) {
    std::uint64_t bytes = face.minBytes();
    for (const PlyProperty& property : face.properties)
        if (property.list && property.name.starts_with("vertex_ind"))
            bytes += 3 * sizeOf(property.type);
    return bytes;
}

/// Adds a warning about faces that are not used, and whether some of them are missing. @param rest length of
/// the file after the vertices, in rows for ascii files, else in bytes
void warnOfPlyFaces(PointCloud& cloud, const PlyHeader& header, const PlyElement& vertex,
                    std::uint64_t rest) {
    const bool ascii = header.encoding == PlyHeader::Encoding::ascii;
    std::uint64_t faces = 0;
    bool behind = false, cut = false;
    for (const PlyElement& element : header.elements) {
        behind = behind || &element == &vertex;
        if (element.name != "face" && element.name != "tristrips")
            continue;
        faces += element.count;
        const std::uint64_t faceBytes = ascii ? 1 : minFaceBytes(element);
        cut = cut ||
              (behind && cloud.size() == vertex.count && faceBytes > 0 && element.count > rest / faceBytes);
    }
    warnOfFaces(cloud, faces, cut);
}

} // namespace

bool beginsPly(std::string_view head) {
    head = withoutByteOrderMark(head);
    return head.starts_with("ply\n") || head.starts_with("ply\r") || head.starts_with("ply ");
}

std::shared_ptr<const PointCloud> readPly(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop) {
    const PlyHeader header = readPlyHeader(file);
    const bool ascii = header.encoding == PlyHeader::Encoding::ascii;
    if (ascii && options.subsample > 0)
        return nullptr;
    BlockReader reader(file, header.bodyOffset);
    std::uint64_t rowsBefore = 0;
    for (const PlyElement& element : header.elements) {
        if (element.name == "vertex") {
            std::uint64_t rest = 0;
            auto cloud = ascii ? readAscii(file, header, element, rowsBefore, options, stop, rest)
                               : readBinary(file, header, element, reader.position(), options, stop, rest);
            if (!cloud)
                return nullptr; // a subsample is not possible
            cloud->format = header.format;
            if (options.subsample == 0)
                warnOfPlyFaces(*cloud, header, element, rest);
            return cloud;
        }
        const bool inside =
            ascii ? element.count <= file.size() : skipPlyElement(reader, element, header.swapped(), stop);
        if (!inside)
            throw EngineError("'" + file.name() + "' ends within the element '" + element.name +
                                  "', before the vertices begin",
                              "The file is truncated or its header is wrong. Copy or export it again.");
        if (!element.properties.empty())
            rowsBefore += element.count;
    }
    throw EngineError("the PLY file '" + file.name() + "' has no points: the element 'vertex' is missing",
                      "Export the cloud with vertices that have x, y and z.");
}

} // namespace scanloupe
