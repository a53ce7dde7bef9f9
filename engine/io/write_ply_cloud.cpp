// Writes clouds as binary little-endian PLY.
#include "engine/io/cloud_rows.h"
#include "engine/io/cloud_writers.h"
#include "engine/io/column_names.h"
#include "engine/io/ply_type.h"

#include <fmt/format.h>

namespace scanloupe::detail {

namespace {

bool isWide(ScalarType type) {
    return type == ScalarType::int64 || type == ScalarType::uint64;
}

/// Shortens the names of normals to nx, ny, nz, as other programs expect them.
std::string plyName(const std::string& name) {
    return name.starts_with("normal_") && name.size() == 8 ? fmt::format("n{}", name.back()) : name;
}

} // namespace

void writePlyCloud(std::ostream& stream, const CloudJob& job) {
    const PointCloud& cloud = job.cloud;
    std::string head = "ply\nformat binary_little_endian 1.0\ncomment written by Scanloupe\n";
    head += fmt::format("element vertex {}\n", cloud.size());
    for (const char axis : {'x', 'y', 'z'})
        head += fmt::format("property {} {}\n", plyType(coordinateType(cloud)), axis);
    std::vector<std::string> names;
    for (const Attribute& attribute : cloud.attributes())
        names.push_back(plyName(attribute.name));
    names = attributeColumnNames(names);
    for (std::size_t i = 0; i < names.size(); ++i)
        head += fmt::format("property {} {}\n", plyType(cloud.attributes()[i].type), names[i]);
    stream << head << "end_header\n";
    ProgressMeter meter(job.options.progress, cloud.size());
    writePieces(stream, cloud.size(), kCloudPiece, meter, job.stop,
                [&](std::string& out, std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i < end; ++i) {
                        appendPosition(out, cloud, i);
                        for (const Attribute& attribute : cloud.attributes()) {
                            if (isWide(attribute.type))
                                appendRaw(out, attribute.value(i));
                            else
                                appendValue(out, attribute, i);
                        }
                    }
                });
}

} // namespace scanloupe::detail
