// Writes voxels as a structured array of NumPy.
#include "engine/io/npy/half_means.h"
#include "engine/io/npy/npy_header.h"
#include "engine/io/npy/write_npy.h"

#include <fmt/format.h>

namespace scanloupe::detail {

namespace {

std::string voxelNpyHeader(const VoxelRows& rows, const VoxelArrays& arrays) {
    std::string fields = arrays.batch ? "('batch', '<i4'), " : "";
    fields += "('ix', '<i4'), ('iy', '<i4'), ('iz', '<i4'), ('count', '<u4')";
    const std::vector<std::string> names = rows.names([&](const std::string& name) -> std::string {
        if (arrays.batch && name == "batch")
            return "mean_batch"; // renamed, since the field `batch` already exists
        return name.empty() ? "unnamed" : name;
    });
    for (std::size_t c = 0; c < rows.channels(); ++c) {
        const bool isHalf = arrays.halfMeans && c < rows.means();
        fields += fmt::format(", ({}, '{}')", pythonLiteral(names[c]),
                              isHalf ? NpyType::half().name : numpyType(rows.type(c)));
    }
    const std::size_t shape[] = {rows.size()};
    return npyHeader("[" + fields + "]", shape);
}

} // namespace

void writeNpyVoxels(std::ostream& stream, const VoxelJob& job) {
    const VoxelArrays& arrays = job.options.arrays;
    job.write(stream, voxelNpyHeader(job.rows, arrays), [&](std::string& out, std::size_t voxel) {
        if (arrays.batch)
            appendRaw(out, *arrays.batch);
        appendRaw(out, job.rows.cell(voxel));
        appendRaw(out, job.rows.count(voxel));
        if (!arrays.halfMeans)
            return job.rows.appendBinary(out, voxel, false);
        appendHalfMeans(out, job, voxel);
        job.rows.appendClasses(out, voxel, false);
    });
}

} // namespace scanloupe::detail
