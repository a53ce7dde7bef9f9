// Opens scans of all known formats.
#include "engine/io/scan_reader.h"

#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/read_options.h"
#include "engine/io/formats.h"

#include <fmt/format.h>

namespace scanloupe {

std::shared_ptr<const PointCloud> readScan(const std::filesystem::path& path, const ReadOptions& options,
                                           const std::stop_token& stop) {
    const InputFile file(path);
    const FileFormat* format = detectFormat(file);
    if (!format)
        throw EngineError(
            fmt::format("'{}' has an unknown format: neither its content nor its extension is recognized",
                        file.name()),
            knownFormats());
    if (!format->read)
        throw EngineError(fmt::format("'{}' is a {}, not a point cloud", file.name(), format->name),
                          "Open it as a volume.");
    return format->read(file, options, stop);
}

std::shared_ptr<const PointCloud> readScanSubsample(const std::filesystem::path& path, std::size_t points,
                                                    ReadOptions options, const std::stop_token& stop) {
    const InputFile file(path);
    const FileFormat* format = detectFormat(file);
    if (!format || !format->readsSubsamples)
        return nullptr;
    options.subsample = points;
    return format->read(file, options, stop);
}

bool hasLevels(const std::filesystem::path& path) {
    const InputFile file(path);
    const FileFormat* format = detectFormat(file);
    return format && format->hasLevels && format->hasLevels(file);
}

} // namespace scanloupe
