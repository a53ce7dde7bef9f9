// Writes voxels as a structured array of NumPy.
#include "engine/io/npy/npy_header.h"
#include "engine/io/npy/write_npy.h"

#include <fmt/format.h>

namespace scanloupe::detail {

namespace {

std::string voxelNpyHeader(const VoxelRows& rows) {
    std::string fields = "('ix', '<i4'), ('iy', '<i4'), ('iz', '<i4'), ('count', '<u4')";
    const std::vector<std::string> names =
        rows.names([](const std::string& name) { return name.empty() ? "unnamed" : name; });
    for (std::size_t c = 0; c < rows.channels(); ++c)
        fields += fmt::format(", ({}, '{}')", pythonLiteral(names[c]), numpyType(rows.type(c)));
    const std::size_t shape[] = {rows.size()};
    return npyHeader("[" + fields + "]", shape);
}

} // namespace

void writeNpyVoxels(std::ostream& stream, const VoxelJob& job) {
    job.write(stream, voxelNpyHeader(job.rows), [&](std::string& out, std::size_t voxel) {
        appendRaw(out, job.rows.cell(voxel));
        appendRaw(out, job.rows.count(voxel));
        job.rows.appendBinary(out, voxel, false);
    });
}

} // namespace scanloupe::detail
