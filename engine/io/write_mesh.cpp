#include "engine/io/mesh_files.h"
#include "engine/io/write_ending.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>

namespace scanloupe {

static_assert(std::endian::native == std::endian::little, "the writers copy numbers as they lie in memory");

namespace {

void checkMesh(const TriangleMesh& mesh, std::span<const std::uint32_t> colours,
               std::span<const MeshChannel> channels) {
    const auto isWhole = [&](std::size_t count) { return count == mesh.vertexCount(); };
    const bool fits = isWhole(mesh.normals.size()) && mesh.indices.size() % 3 == 0 &&
                      (colours.empty() || isWhole(colours.size())) &&
                      std::all_of(channels.begin(), channels.end(),
                                  [&](const MeshChannel& c) { return isWhole(c.values.size()); });
    if (!fits)
        throw Fault("the mesh has not one normal, one colour and one value for each vertex");
}

} // namespace

std::string detail::channelName(const VoxelChannel& channel) {
    constexpr std::array taken{"x",        "y",        "z",   "nx",    "ny",   "nz",   "normal_x",
                               "normal_y", "normal_z", "red", "green", "blue", "alpha"};
    std::string name = channel.name;
    std::replace_if(
        name.begin(), name.end(),
        [](char sign) { return !std::isalnum(static_cast<unsigned char>(sign)) && sign != '_'; }, '_');
    return std::find(taken.begin(), taken.end(), name) == taken.end() ? name : "mean_" + name;
}

void writeMesh(const std::filesystem::path& target, const TriangleMesh& mesh,
               std::span<const std::uint32_t> vertexColours, const WriteOptions& options,
               const std::stop_token& stop) {
    const std::string ending = requireEnding(target, meshEndings(), "a mesh");
    checkMesh(mesh, vertexColours, options.channels);
    const detail::MeshJob job{mesh, vertexColours, options, stop};
    writeAtomically(target, [&](std::ostream& stream) {
        if (ending == ".ply")
            detail::writePlyMesh(stream, job);
        else if (ending == ".stl")
            detail::writeStlMesh(stream, job);
        else if (ending == ".obj")
            detail::writeObjMesh(stream, job);
        else
            detail::writeGlbMesh(stream, job);
    });
}

const std::vector<std::string>& meshEndings() {
    static const std::vector<std::string> endings = {".ply", ".stl", ".obj", ".glb"};
    return endings;
}

} // namespace scanloupe
