// Writes voxels as binary little-endian PLY, with a vertex per voxel.
#include "engine/io/ply/ply_type.h"
#include "engine/io/ply/write_ply.h"

#include <fmt/format.h>

namespace scanloupe::detail {

namespace {

std::string voxelPlyHeader(const VoxelRows& rows, const GridShape& shape) {
    std::string header = "ply\nformat binary_little_endian 1.0\ncomment voxels, written by Scanloupe\n";
    header += fmt::format("comment voxel size {} {} {}\nelement vertex {}\n", shape.voxelSize.x,
                          shape.voxelSize.y, shape.voxelSize.z, rows.size());
    const std::vector<std::string> names = rows.names(asSingleWord);
    for (std::size_t c = 0; c < rows.channels(); ++c)
        header += fmt::format("property {} {}\n", plyType(rows.type(c)), names[c]);
    return header + "property int ix\nproperty int iy\nproperty int iz\nproperty uint count\nend_header\n";
}

} // namespace

void writePlyVoxels(std::ostream& stream, const VoxelJob& job) {
    job.write(stream, voxelPlyHeader(job.rows, job.shape), [&](std::string& out, std::size_t voxel) {
        job.rows.appendBinary(out, voxel, true);
        appendRaw(out, job.rows.cell(voxel));
        appendRaw(out, job.rows.count(voxel));
    });
}

} // namespace scanloupe::detail
