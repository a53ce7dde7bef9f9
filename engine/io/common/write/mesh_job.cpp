// Chooses the names of a mesh's vertex channels in files.
#include "engine/io/common/write/mesh_job.h"

#include "engine/io/common/write/column_names.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace scanloupe {

std::vector<std::string> detail::channelNames(std::span<const MeshChannel> channels) {
    constexpr std::string_view reserved[] = {
        "x", "y", "z", "nx", "ny", "nz", "normal_x", "normal_y", "normal_z", "red", "green", "blue", "alpha"};
    const auto isPlain = [](char c) { // independent of the locale
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    };
    const auto sanitized = [&](std::string name) {
        std::replace_if(
            name.begin(), name.end(), [&](char c) { return !isPlain(c); }, '_');
        return name.empty() ? "unnamed" : name;
    };
    std::vector<std::string> own;
    for (const MeshChannel& channel : channels)
        own.push_back(channel.channel.name);
    return uniqueNames(own, sanitized, reserved, "mean_");
}

void detail::addChannelLoss(const char* format, const WriteOptions& options,
                            std::vector<std::string>& losses) {
    std::vector<std::string> names;
    for (const MeshChannel& channel : options.channels)
        names.push_back(channel.channel.name);
    if (!names.empty())
        losses.push_back(
            fmt::format("{} has no values at vertices; left out: {}", format, fmt::join(names, ", ")));
}

} // namespace scanloupe
