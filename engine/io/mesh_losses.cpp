// Describes in sentences what a mesh loses in a file format.
#include "engine/io/file_kind.h"
#include "engine/io/mesh_writers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace scanloupe {

namespace {

/// Whether single precision rounds the differences between class values and the first one.
bool isRoundedInFloat(const Category& category) {
    constexpr double whole = 16777216; // 2^24
    return category.value(static_cast<std::uint32_t>(category.values.size() - 1)) - category.value(0) > whole;
}

} // namespace

std::vector<std::string> meshLosses(const std::filesystem::path& target, bool hasColours,
                                    const WriteOptions& options) {
    const std::string ending = lowerEnding(target);
    const bool stl = ending == ".stl";
    std::vector<std::string> losses;
    if (ending == ".glb") {
        std::vector<std::string> rounded;
        for (const MeshChannel& channel : options.channels) {
            if (channel.category && isRoundedInFloat(*channel.category))
                rounded.push_back(channel.channel.name);
        }
        if (!rounded.empty())
            losses.push_back(fmt::format("GLB has single precision only; classes are rounded: {}",
                                         fmt::join(rounded, ", ")));
    }
    if (!stl && ending != ".obj")
        return losses;
    const char* format = stl ? "STL" : "OBJ";
    if (stl && !(options.origin == Vec3d{}))
        losses.push_back(
            fmt::format("STL has single precision only; coordinates are relative to {}, which has to "
                        "be added to them",
                        detail::originText(options.origin)));
    if (stl && hasColours)
        losses.push_back("STL has no colours; they are left out");
    std::vector<std::string> names;
    for (const MeshChannel& channel : options.channels)
        names.push_back(channel.channel.name);
    if (!names.empty())
        losses.push_back(
            fmt::format("{} has no values at vertices; left out: {}", format, fmt::join(names, ", ")));
    return losses;
}

} // namespace scanloupe
