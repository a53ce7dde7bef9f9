// Writes clouds as binary PCD 0.7 (Point Cloud Library).
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/write/cloud_rows.h"
#include "engine/io/common/write/column_names.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/pcd/write_pcd.h"

#include <fmt/format.h>

namespace scanloupe::detail {

namespace {

/// Returns the three or four 8-bit colour attributes that PCD packs into a single field; empty if the cloud
/// has no 8-bit colours.
std::vector<const Attribute*> packedColours(const PointCloud& cloud) {
    std::vector<const Attribute*> parts;
    for (const char* name : {"red", "green", "blue", "alpha"}) {
        const Attribute* part = cloud.attribute(name);
        if (part && part->type == ScalarType::uint8)
            parts.push_back(part);
        else if (parts.size() < 3)
            return {};
    }
    return parts;
}

void appendPacked(std::string& out, const std::vector<const Attribute*>& parts, std::size_t i) {
    const auto part = [&](std::size_t c) {
        return c < parts.size() ? std::to_integer<std::uint32_t>(parts[c]->data()[i]) : 0u;
    };
    appendRaw(out, part(3) << 24 | part(0) << 16 | part(1) << 8 | part(2));
}

struct HeaderLines {
    std::string fields = "FIELDS", sizes = "SIZE", types = "TYPE", counts = "COUNT";
    void add(const std::string& name, std::size_t size, char type, std::size_t count = 1) {
        fields += " " + name;
        sizes += fmt::format(" {}", size);
        types += fmt::format(" {}", type);
        counts += fmt::format(" {}", count);
    }
};

char pcdType(ScalarType type) {
    if (type >= ScalarType::float32)
        return 'F';
    const bool isSigned = type == ScalarType::int8 || type == ScalarType::int16 ||
                          type == ScalarType::int32 || type == ScalarType::int64;
    return isSigned ? 'I' : 'U';
}

/// Returns the number of columns from `first` on that form a single field with a COUNT: name_0, name_1, ...
/// of the same type. PCL looks up histograms and descriptors as such a field. @param base receives the name
/// of the field
std::size_t fieldLength(std::span<const Attribute* const> columns, std::span<const std::string> names,
                        std::size_t first, std::string& base) {
    constexpr std::string_view zero = "_0";
    if (!names[first].ends_with(zero) || names[first].size() == zero.size())
        return 1;
    base = names[first].substr(0, names[first].size() - zero.size());
    std::size_t count = 1;
    while (first + count < names.size() && names[first + count] == fmt::format("{}_{}", base, count) &&
           columns[first + count]->type == columns[first]->type)
        ++count;
    // not a field if its name has a special meaning to readers, or is used by another column
    constexpr std::string_view special[] = {"_", "x", "y", "z", "rgb", "rgba"};
    const bool taken = std::find(std::begin(special), std::end(special), base) != std::end(special) ||
                       std::find(names.begin(), names.end(), base) != names.end();
    return taken ? 1 : count;
}

} // namespace

void writePcdCloud(std::ostream& stream, const CloudJob& job) {
    const PointCloud& cloud = job.cloud;
    const auto colours = packedColours(cloud);
    const auto isPacked = [&](const Attribute& attribute) {
        return std::find(colours.begin(), colours.end(), &attribute) != colours.end();
    };
    HeaderLines lines;
    for (const char axis : {'x', 'y', 'z'})
        lines.add(std::string(1, axis), sizeOf(coordinateType(cloud)), 'F');
    std::vector<const Attribute*> columns;
    std::vector<std::string> names;
    for (const Attribute& attribute : cloud.attributes()) {
        if (isPacked(attribute))
            continue;
        columns.push_back(&attribute);
        names.push_back(attribute.name);
    }
    names = attributeColumnNames(names);
    for (std::size_t i = 0, count = 1; i < columns.size(); i += count) {
        std::string base;
        count = fieldLength(columns, names, i, base);
        lines.add(count > 1 ? base : names[i], sizeOf(columns[i]->type), pcdType(columns[i]->type), count);
    }
    if (!colours.empty())
        lines.add(colours.size() == 4 ? "rgba" : "rgb", 4, colours.size() == 4 ? 'U' : 'F');
    const bool organized =
        cloud.height > 1 && std::size_t(cloud.width) * std::size_t(cloud.height) == cloud.size();
    const SensorPose sensor = cloud.sensor.value_or(SensorPose{});
    const Vec3d at = sensor.position;
    const Quaternion turned = sensor.rotation;
    stream << "# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\n"
           << lines.fields << '\n'
           << lines.sizes << '\n'
           << lines.types << '\n'
           << lines.counts << '\n'
           << fmt::format("WIDTH {}\nHEIGHT {}\nVIEWPOINT {} {} {} {} {} {} {}\nPOINTS {}\nDATA binary\n",
                          organized ? std::size_t(cloud.width) : cloud.size(), organized ? cloud.height : 1,
                          at.x, at.y, at.z, turned.w, turned.x, turned.y, turned.z, cloud.size());
    ProgressMeter meter(job.options.progress, cloud.size());
    writePieces(stream, cloud.size(), kCloudPiece, meter, job.stop,
                [&](std::string& out, std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i < end; ++i) {
                        appendPosition(out, cloud, i);
                        for (const Attribute* column : columns)
                            appendValue(out, *column, i);
                        if (!colours.empty())
                            appendPacked(out, colours, i);
                    }
                });
}

} // namespace scanloupe::detail
