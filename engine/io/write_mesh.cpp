#include "engine/io/mesh_files.h"
#include "engine/io/write_ending.h"

#include <bit>

namespace scanloupe {

static_assert(std::endian::native == std::endian::little, "the writers copy numbers as they lie in memory");

namespace {

void checkMesh(const TriangleMesh& mesh, std::span<const std::uint32_t> colours) {
    const bool fits = mesh.normals.size() == mesh.vertexCount() && mesh.indices.size() % 3 == 0 &&
                      (colours.empty() || colours.size() == mesh.vertexCount());
    if (!fits)
        throw Fault("the mesh has not one normal and one colour for each vertex");
}

} // namespace

void writeMesh(const std::filesystem::path& target, const TriangleMesh& mesh,
               std::span<const std::uint32_t> vertexColours, const WriteOptions& options,
               const std::stop_token& stop) {
    const std::string ending = requireEnding(target, meshEndings(), "a mesh");
    checkMesh(mesh, vertexColours);
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
