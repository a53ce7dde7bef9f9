// Checks meshes, and writes them in the format of the file's ending.
#include "engine/io/column_names.h"
#include "engine/io/mesh_writers.h"
#include "engine/io/write_ending.h"

#include <algorithm>
#include <array>
#include <bit>

namespace scanloupe {

static_assert(std::endian::native == std::endian::little, "the writers copy numbers as they lie in memory");

namespace {

void checkMesh(const TriangleMesh& mesh, std::span<const std::uint32_t> colours,
               std::span<const MeshChannel> channels) {
    const auto isWhole = [&](std::size_t count) { return count == mesh.vertexCount(); };
    const bool fits = isWhole(mesh.normals.size()) && mesh.indices.size() % 3 == 0 &&
                      (colours.empty() || isWhole(colours.size())) &&
                      std::all_of(channels.begin(), channels.end(), [&](const MeshChannel& c) {
                          return isWhole(c.values.size()) && (!c.category || isWhole(c.codes.size()));
                      });
    if (!fits)
        throw Fault("the mesh has not one normal, one colour and one value for each vertex");
}

} // namespace

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

void writeMesh(const std::filesystem::path& target, const TriangleMesh& mesh,
               std::span<const std::uint32_t> vertexColours, const WriteOptions& options,
               const std::stop_token& stop) {
    const std::string ending = requireEnding(target, meshEndings(), "a mesh");
    checkMesh(mesh, vertexColours, options.channels);
    const detail::MeshJob job{mesh, vertexColours, options, stop};
    const auto write = [&](std::ostream& stream) {
        if (ending == ".ply")
            detail::writePlyMesh(stream, job);
        else if (ending == ".stl")
            detail::writeStlMesh(stream, job);
        else if (ending == ".obj")
            detail::writeObjMesh(stream, job);
        else
            detail::writeGlbMesh(stream, job);
    };
    writeAtomically(target, write, stop);
}

const std::vector<std::string>& meshEndings() {
    static const std::vector<std::string> endings = {".ply", ".stl", ".obj", ".glb"};
    return endings;
}

} // namespace scanloupe
