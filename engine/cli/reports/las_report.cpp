// Formats header fields and variable length records of LAS files as text and as JSON (ASPRS LAS 1.4 R15).
#include "engine/cli/reports/las_report.h"

#include "engine/cli/output/text.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/little_endian.h"
#include "engine/io/common/text/utf8.h"
#include "engine/io/las/las_metadata.h"
#include "kernels/voxelize/core/voxel_strategy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace scanloupe::cli {

namespace {

using Json = nlohmann::ordered_json;

const LasMetadata* singleFile(const PointCloud& cloud) {
    const LasMetadata* metadata = lasMetadataOf(cloud);
    return metadata && metadata->isSingle() ? metadata : nullptr;
}

std::string textOf(std::span<const std::byte> bytes) {
    return printableText(loadText(bytes.data(), bytes.size()));
}

/// Formats a GUID in the Microsoft layout that LAS uses: the first three groups are little endian. Returns an
/// empty text if all bytes are 0.
std::string guidText(const std::array<std::byte, 16>& guid) {
    if (guid == std::array<std::byte, 16>{})
        return {};
    std::string text =
        fmt::format("{:08x}-{:04x}-{:04x}-", loadLittle<std::uint32_t>(guid.data()),
                    loadLittle<std::uint16_t>(guid.data() + 4), loadLittle<std::uint16_t>(guid.data() + 6));
    for (std::size_t i = 8; i < guid.size(); ++i)
        text += fmt::format("{}{:02x}", i == 10 ? "-" : "", std::to_integer<unsigned>(guid[i]));
    return text;
}

const char* gpsTimeType(const LasIdentity& identity) {
    return identity.encoding & kLasStandardGpsTime ? "adjusted standard" : "GPS week time";
}

} // namespace

Json lasJson(const PointCloud& cloud) {
    const LasMetadata* metadata = singleFile(cloud);
    if (!metadata)
        return {};
    const LasIdentity& identity = metadata->identity;
    Json records = Json::array();
    for (const auto& record : metadata->vlrs)
        records.push_back({{"user", record->header.userId},
                           {"id", record->header.id},
                           {"bytes", record->header.length},
                           {"description", textOf(record->header.description)},
                           {"behind_points", record->header.extended}});
    Json json = {{"version", fmt::format("1.{}", metadata->minor)},
                 {"point_format", metadata->pointFormat},
                 {"file_source_id", identity.sourceId},
                 {"global_encoding", identity.encoding},
                 {"gps_time", gpsTimeType(identity)},
                 {"guid", guidText(identity.guid)},
                 {"system_identifier", textOf(identity.system)},
                 {"generating_software", textOf(identity.software)},
                 {"created", {{"day_of_year", identity.day}, {"year", identity.year}}},
                 {"records", records}};
    return json;
}

void printLas(const PointCloud& cloud, std::ostream& out) {
    const LasMetadata* metadata = singleFile(cloud);
    if (!metadata)
        return;
    const LasIdentity& identity = metadata->identity;
    const auto line = [&](const char* name, const std::string& text) {
        if (!text.empty())
            out << fmt::format("{:<12}{}\n", name, text);
    };
    line("source id", identity.sourceId ? fmt::format("{}", identity.sourceId) : "");
    line("GUID", guidText(identity.guid));
    line("system id", textOf(identity.system));
    line("written by", textOf(identity.software));
    line("created", identity.year ? fmt::format("day {} of {}", identity.day, identity.year) : "");
    line("GPS time", cloud.attribute("time") ? gpsTimeType(identity) : "");
    std::vector<std::string> records;
    for (const auto& record : metadata->vlrs)
        records.push_back(fmt::format("{} ({})", nameOf(*record), counted(record->header.length, "byte")));
    line("records", fmt::format("{}", fmt::join(records, ", ")));
}

} // namespace scanloupe::cli
