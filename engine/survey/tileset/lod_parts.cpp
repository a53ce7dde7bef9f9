// Writes and reads the scratch files of octree nodes: arrays in their memory layout, only readable by this
// process.
#include "engine/survey/tileset/lod_parts.h"

#include "engine/cloud/error.h"

#include <fmt/format.h>
#include <fstream>

namespace scanloupe {

namespace fs = std::filesystem;

namespace {

template <class T>
void writeArray(std::ofstream& out, const std::vector<T>& values) {
    const std::uint64_t count = values.size();
    out.write(reinterpret_cast<const char*>(&count), sizeof count);
    out.write(reinterpret_cast<const char*>(values.data()), std::streamsize(count * sizeof(T)));
}

template <class T>
void appendArray(std::ifstream& in, std::vector<T>& values) {
    std::uint64_t count = 0;
    if (!in.read(reinterpret_cast<char*>(&count), sizeof count))
        return;
    const std::size_t before = values.size();
    values.resize(before + count);
    in.read(reinterpret_cast<char*>(values.data() + before), std::streamsize(count * sizeof(T)));
}

template <class Vertex>
void appendTo(const fs::path& path, const std::vector<Vertex>& vertices,
              const std::vector<LodTriangle>& triangles) {
    std::ofstream out(path, std::ios::binary | std::ios::app);
    writeArray(out, vertices);
    writeArray(out, triangles);
    out.close();
    if (!out)
        throw EngineError(fmt::format("Cannot write the temporary file '{}'.", path.string()),
                          "Free disk space on that drive, and run the job again.");
}

template <class Vertex>
void readAll(const fs::path& path, std::vector<Vertex>& vertices, std::vector<LodTriangle>& triangles) {
    std::ifstream in(path, std::ios::binary);
    while (in && in.peek() != std::ifstream::traits_type::eof()) {
        appendArray(in, vertices);
        appendArray(in, triangles);
    }
    if (!in.eof())
        throw EngineError(fmt::format("Cannot read the temporary file '{}'.", path.string()),
                          "Check the drive, and run the job again.");
}

} // namespace

fs::path LodParts::pathOf(const LodNode& node) const {
    return m_scratch.file(fmt::format("{}_{}_{}_{}", node.level, node.place.x, node.place.y, node.place.z));
}

void LodParts::append(const LodNode& node, const LeafMesh& mesh) const {
    appendTo(pathOf(node), mesh.vertices, mesh.triangles);
}

void LodParts::append(const LodNode& node, const ClusterMesh& mesh) const {
    appendTo(pathOf(node), mesh.cells, mesh.triangles);
}

LeafMesh LodParts::leaf(const LodNode& node) const {
    LeafMesh mesh;
    readAll(pathOf(node), mesh.vertices, mesh.triangles);
    return mesh;
}

ClusterMesh LodParts::cluster(const LodNode& node) const {
    ClusterMesh mesh;
    readAll(pathOf(node), mesh.cells, mesh.triangles);
    mesh.compact();
    return mesh;
}

std::optional<ClusterMesh> LodParts::clusterIfAny(const LodNode& node) const {
    return fs::exists(pathOf(node)) ? std::optional(cluster(node)) : std::nullopt;
}

void LodParts::remove(const LodNode& node) const {
    removeOwnFile(pathOf(node));
}

} // namespace scanloupe
