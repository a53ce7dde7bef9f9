// Checks meshes, and writes them in the format of the target's extension.

#include "engine/cloud/error.h"
#include "engine/io/common/file_ending.h"
#include "engine/io/formats.h"
#include "engine/io/writers.h"

#include <algorithm>
#include <bit>

namespace scanloupe {

static_assert(std::endian::native == std::endian::little,
              "the writers copy numbers from memory without swapping bytes");

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
        throw Fault("the mesh needs a normal, a colour and a value of each channel for each vertex, and "
                    "three corners per triangle");
}

} // namespace

void writeMesh(const std::filesystem::path& target, const TriangleMesh& mesh,
               std::span<const std::uint32_t> vertexColours, const WriteOptions& options,
               const std::stop_token& stop) {
    const std::string ending =
        options.ending.empty() ? requireEnding(target, meshEndings(), "a mesh") : options.ending;
    checkMesh(mesh, vertexColours, options.channels);
    const detail::MeshJob job{mesh, vertexColours, options, stop};
    const FileFormat* format = formatWithEnding(&FileFormat::meshes, ending);
    writeAtomically(
        target, [&](std::ostream& stream) { format->meshes.write(stream, job); }, stop);
}

} // namespace scanloupe
