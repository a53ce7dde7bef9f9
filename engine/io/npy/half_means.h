#pragma once
// Defines how means of voxels are written as NumPy's float16.
#include "engine/io/common/half_float.h"
#include "engine/io/common/write/voxel_rows.h"

#include <cmath>

namespace scanloupe::detail {

/// Appends all means of a voxel as float16. Positions are in the file's frame. Adds the number of means that
/// overflow to `VoxelArrays::overflows`.
inline void appendHalfMeans(std::string& out, const VoxelJob& job, std::size_t row) {
    for (std::size_t c = 0; c < job.rows.means(); ++c) {
        const double mean = job.rows.value(c, row);
        const std::uint16_t half = toHalf(mean);
        if (job.options.arrays.overflows && std::isfinite(mean) && std::isinf(fromHalf(half)))
            ++*job.options.arrays.overflows;
        appendRaw(out, half);
    }
}

} // namespace scanloupe::detail
