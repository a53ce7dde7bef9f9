// Opens a file as a point cloud or as a raw volume.
#include "engine/io/scan_input.h"

#include "engine/cloud/point_cloud.h"
#include "engine/io/common/read_options.h"
#include "engine/io/volume/read_volume.h"
#include "kernels/core/cost.h"

namespace scanloupe {

std::uint64_t ScanInput::bytes() const {
    return cloud ? cloud->bytes() : volume ? volume->values.bytes() : 0;
}

ScanInput readInput(const std::filesystem::path& path, const ReadOptions& options,
                    const std::stop_token& stop) {
    const WallTimer timer;
    ScanInput input;
    std::error_code error; // the reader reports a path that can't be accessed
    if (std::filesystem::is_regular_file(path, error) && isVolumeFile(path))
        input.volume = std::make_shared<const Volume>(readVolume(path, options, stop));
    else
        input.cloud = readScan(path, options, stop);
    input.readMs = timer.elapsedMs();
    return input;
}

} // namespace scanloupe
