// Writes voxels as CSV, with a row per voxel.
#include "engine/io/text/write_text.h"

#include "engine/io/common/text/csv_text.h"

namespace scanloupe::detail {

namespace {

/// Returns the name as a CSV field; names with special characters are quoted (RFC 4180, section 2).
std::string csvField(const std::string& name) {
    const std::string field = withoutFormula(name);
    const bool plain = field.find_first_of(",\"\r\n") == std::string::npos && !field.starts_with(' ') &&
                       !field.ends_with(' ');
    return plain ? field : quotedForCsv(field);
}

std::string voxelCsvHeader(const VoxelRows& rows) {
    std::string header = "ix,iy,iz,count";
    for (const std::string& name : rows.names([](std::string own) { return own; }))
        header += "," + csvField(name);
    return header + "\n";
}

} // namespace

void writeCsvVoxels(std::ostream& stream, const VoxelJob& job) {
    job.write(stream, voxelCsvHeader(job.rows), [&](std::string& out, std::size_t voxel) {
        const Vec3i cell = job.rows.cell(voxel);
        for (int axis = 0; axis < 3; ++axis) {
            appendNumber(out, std::int64_t{cell[axis]});
            out.push_back(',');
        }
        appendNumber(out, std::uint64_t{job.rows.count(voxel)});
        job.rows.appendText(out, voxel);
        out.push_back('\n');
    });
}

} // namespace scanloupe::detail
