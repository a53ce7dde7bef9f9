// Writes clouds as binary little-endian PLY.
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/write/cloud_rows.h"
#include "engine/io/common/write/column_names.h"
#include "engine/io/ply/ply_type.h"
#include "engine/io/ply/write_ply.h"

#include <fmt/format.h>

namespace scanloupe::detail {

namespace {

bool isWide(ScalarType type) {
    return type == ScalarType::int64 || type == ScalarType::uint64;
}

/// Shortens the names of normals to nx, ny, nz, which other programs expect.
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

void addPlyLosses(const PointCloud& cloud, const std::stop_token&, std::vector<std::string>& losses) {
    constexpr double exact = 9007199254740992.0; // 2^53
    for (const Attribute& attribute : cloud.attributes()) {
        const bool wide = attribute.type == ScalarType::int64 || attribute.type == ScalarType::uint64;
        if (wide &&
            (attribute.max() >= exact ||
             attribute.min() <= -exact)) // also at the limits: a rounded limit may stand for a larger value
            losses.push_back(
                fmt::format("PLY has no 64-bit integers; '{}' is rounded to double", attribute.name));
    }
}

} // namespace scanloupe::detail
