// Writes the documents of 3D Tiles.
#include "engine/survey/tileset/tileset_json.h"

#include "engine/compute/build_info.h"
#include "engine/io/common/file_checksum.h"
#include "engine/io/common/write/write_atomically.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

namespace scanloupe {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

constexpr int kLevelsPerDocument = 4;

Json boxOf(const Bounds& box) {
    const Vec3d middle = (box.min + box.max) / 2, half = (box.max - box.min) / 2;
    return {{"box", {middle.x, middle.y, middle.z, half.x, 0, 0, 0, half.y, 0, 0, 0, half.z}}};
}

class Writer {
public:
    Writer(fs::path folder, const TilesetNodes& nodes, NodeFiles& files, const LodGrid& grid,
           const std::stop_token& stop)
        : m_folder(std::move(folder)), m_nodes(nodes), m_files(files), m_grid(grid), m_stop(stop) {}

    void write(const Sha256Digest& surface, Vec3d origin) {
        const auto& [root, whole] = *m_nodes.rbegin();
        m_root = root;
        Json tile = tileOf(root, "");
        tile["transform"] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, origin.x, origin.y, origin.z, 1};
        std::uint64_t vertices = 0;
        for (const auto& [node, written] : m_nodes)
            vertices += node.level == 0 ? written.ownVertices : 0;
        writeDocument(m_folder / "tileset.json",
                      documentOf(std::move(tile),
                                 std::max(norm(whole.box.max - whole.box.min), errorOf(root)),
                                 {{"finest_vertices", vertices}, {kSurfaceKey, hexOf(surface)}}));
    }

private:
    /// Returns the maximum distance of a node's mesh from the surface, which is the size of its clusters.
    double errorOf(const LodNode& node) const {
        return node.level == 0 ? 0 : std::ldexp(norm(m_grid.lattice().spacing.as<double>()), node.level);
    }

    static std::string documentOf(Json root, double error, Json extras = {}) {
        root["refine"] = "REPLACE";
        Json document{{"asset", {{"version", "1.1"}, {"extras", {{"generator", versionAndCommit()}}}}},
                      {"geometricError", error},
                      {"root", std::move(root)}};
        if (!extras.is_null())
            document["extras"] = std::move(extras);
        return document.dump() + '\n';
    }

    void writeDocument(const fs::path& path, const std::string& document) const {
        requirePlainFile(path);
        writeAtomically(
            path, [&](std::ostream& out) { out << document; }, m_stop);
    }

    /// @param up relative path from the folder of the document to that of the tileset
    Json tileOf(const LodNode& node, const std::string& up) const {
        const TilesetNode& found = m_nodes.at(node);
        Json tile{{"boundingVolume", boxOf(found.box)}, {"geometricError", errorOf(node)}};
        if (found.vertices > 0) {
            tile["content"] = {{"uri", up + found.mesh.generic_string()}};
            // lets readers allocate memory; own vertices precede those of neighbours
            tile["extras"] = {{"vertices", found.vertices}, {"own_vertices", found.ownVertices}};
        }
        Json children = Json::array();
        for (const LodNode& child : childrenOf(node)) {
            const bool isApart = child.level > 0 && (m_root.level - child.level) % kLevelsPerDocument == 0;
            if (!isApart) {
                children.push_back(tileOf(child, up));
                continue;
            }
            const std::string document = documentOf(tileOf(child, "../../"), errorOf(child));
            Sha256 sum;
            sum.add(std::span<const char>(document));
            const fs::path name = m_files.place(child, sum.digest(), ".json");
            writeDocument(m_folder / name, document);
            children.push_back({{"boundingVolume", boxOf(m_nodes.at(child).box)},
                                {"geometricError", errorOf(child)},
                                {"content", {{"uri", up + name.generic_string()}}}});
        }
        if (!children.empty())
            tile["children"] = std::move(children);
        return tile;
    }

    std::vector<LodNode> childrenOf(const LodNode& node) const {
        std::vector<LodNode> children;
        for (int bits = 0; node.level > 0 && bits < 8; ++bits) {
            const LodNode child{node.level - 1, node.place * 2 + Vec3i{bits & 1, bits >> 1 & 1, bits >> 2}};
            if (m_nodes.contains(child))
                children.push_back(child);
        }
        return children;
    }

    fs::path m_folder;
    const TilesetNodes& m_nodes;
    NodeFiles& m_files;
    const LodGrid& m_grid;
    std::stop_token m_stop;
    LodNode m_root;
};

} // namespace

void writeTilesetDocuments(const fs::path& folder, const TilesetNodes& nodes, NodeFiles& files,
                           const LodGrid& grid, const Sha256Digest& surface, Vec3d origin,
                           const std::stop_token& stop) {
    Writer(folder, nodes, files, grid, stop).write(surface, origin);
}

} // namespace scanloupe
