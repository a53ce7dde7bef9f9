// Formats messages about the parts of a mesh that a format can't store.
#include "engine/io/common/file_ending.h"
#include "engine/io/formats.h"
#include "engine/io/writers.h"

namespace scanloupe {

std::vector<std::string> meshLosses(const std::filesystem::path& target, bool hasColours,
                                    const WriteOptions& options) {
    std::vector<std::string> losses;
    const FileFormat* format =
        formatWithEnding(&FileFormat::meshes, options.ending.empty() ? lowerEnding(target) : options.ending);
    if (format && format->meshes.addLosses)
        format->meshes.addLosses(hasColours, options, losses);
    return losses;
}

} // namespace scanloupe
