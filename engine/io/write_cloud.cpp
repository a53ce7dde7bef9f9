// Writes clouds in the format of the target's extension.
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/file_ending.h"
#include "engine/io/formats.h"
#include "engine/io/writers.h"

namespace scanloupe {

void writeCloud(const std::filesystem::path& target, const PointCloud& cloud, const WriteOptions& options,
                const std::stop_token& stop) {
    const std::string ending =
        options.ending.empty() ? requireEnding(target, cloudEndings(), "a cloud") : options.ending;
    const detail::CloudJob job{cloud, options, stop, ending};
    const FileFormat* format = formatWithEnding(&FileFormat::clouds, job.ending);
    cloud.loadAll(stop);
    writeAtomically(
        target, [&](std::ostream& stream) { format->clouds.write(stream, job); }, stop);
}

} // namespace scanloupe
