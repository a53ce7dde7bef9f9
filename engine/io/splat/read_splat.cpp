// Reads .splat files, which consist of records of 32 bytes without a header.
#include "engine/io/splat/read_splat.h"

#include "engine/cloud/damage.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/cloud_builder.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/records.h"
#include "kernels/voxelize/core/voxel_strategy.h"

#include <bit>

namespace scanloupe {

std::shared_ptr<const PointCloud> readSplat(const InputFile& file, const ReadOptions& options,
                                            const std::stop_token& stop) {
    RecordLayout layout;
    layout.swapped = std::endian::native != std::endian::little;
    for (const char* name : {"x", "y", "z", "scale_x", "scale_y", "scale_z"})
        layout.fields.push_back({name, ScalarType::float32});
    for (const char* name : {"red", "green", "blue", "alpha", "rot_w", "rot_x", "rot_y", "rot_z"})
        layout.fields.push_back({name, ScalarType::uint8});
    const std::uint64_t splats = file.size() / layout.recordSize();
    if (splats == 0)
        throwNothingWhole(file, 1);
    CloudBuilder builder(file, layout.fields, static_cast<std::size_t>(splats));
    readRecords(file, layout, builder, options.progress, stop);
    auto cloud = builder.finish(-1, stop);
    cloud->format = "Gaussian splats";
    if (const auto rest = file.size() - splats * layout.recordSize(); rest != 0)
        addDamage(*cloud, "The file ends within a splat: " + std::to_string(splats) +
                              " complete splats were loaded, and the last " + std::to_string(rest) +
                              " bytes were ignored.");
    return cloud;
}

} // namespace scanloupe
