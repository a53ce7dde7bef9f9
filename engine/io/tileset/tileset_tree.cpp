// Reads the documents of 3D Tiles.
#include "engine/io/tileset/tileset_tree.h"

#include "engine/cloud/damage.h"
#include "engine/cloud/error.h"
#include "engine/io/common/bounded_json.h"
#include "engine/io/common/file_ending.h"
#include "engine/io/common/named_file.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <set>
#include <string_view>

namespace scanloupe {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20; // maximum size of a document
constexpr std::uint64_t kUsualVertices = 60'000; // assumed for a mesh of a tile without a vertex count
constexpr TileTransform kIdentity{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

TileTransform times(const TileTransform& a, const TileTransform& b) {
    TileTransform product{};
    for (std::size_t column = 0; column < 4; ++column)
        for (std::size_t row = 0; row < 4; ++row)
            for (std::size_t i = 0; i < 4; ++i)
                product[4 * column + row] += a[4 * i + row] * b[4 * column + i];
    return product;
}

/// A tile that is not yet added to the tree.
struct OpenTile {
    Json json;
    fs::path folder;
    TileTransform transform;
    std::uint32_t parent = DetailNode::kNoParent;
    DetailRefinement refinement = DetailRefinement::replace; ///< inherited from the parent
};

/// Returns the name of an unsupported kind of content, by its extension.
std::string unreadContent(const std::string& ending) {
    if (ending == ".pnts")
        return "point clouds of 3D Tiles 1.0 (.pnts)";
    if (ending == ".b3dm")
        return "batched models of 3D Tiles 1.0 (.b3dm)";
    if (ending == ".i3dm")
        return "instanced models of 3D Tiles 1.0 (.i3dm)";
    if (ending == ".cmpt")
        return "composites of 3D Tiles 1.0 (.cmpt)";
    return fmt::format("contents with the unknown extension '{}'", ending.substr(0, 20));
}

class TreeReader {
public:
    TreeReader(std::size_t maxDocuments, const std::stop_token& stop)
        : m_maxDocuments(maxDocuments), m_stop(stop) {}

    TilesetTree read(const InputFile& file) {
        m_root = file.path().parent_path();
        m_open.push_back({rootOf(file.path(), true), m_root, kIdentity});
        while (!m_open.empty()) {
            if (m_stop.stop_requested())
                throw Cancelled();
            const OpenTile tile = std::move(m_open.front());
            m_open.pop_front();
            add(tile);
        }
        const bool isEmpty = std::ranges::all_of(m_tree.meshes, &std::vector<fs::path>::empty);
        if (isEmpty && m_outside > 0)
            throw EngineError(
                fmt::format("'{}' refers to no mesh inside its folder. Not read, for example: {}.",
                            file.name(), m_firstOutside),
                "Copy all files of the tileset into one folder, with tileset.json at the top level.");
        if (isEmpty && !m_leftOut.empty()) {
            std::vector<std::string_view> kinds;
            for (const auto& [what, count] : m_leftOut)
                kinds.push_back(what);
            throw EngineError(
                fmt::format("The tileset '{}' has no readable tile. Unsupported contents: {}.", file.name(),
                            fmt::join(kinds, ", ")),
                "Convert it to 3D Tiles 1.1 with explicit tiles of GLB, for example with 3d-tiles-tools.");
        }
        for (const auto& [what, count] : m_leftOut)
            m_tree.warnings.push_back(damageWarning(fmt::format(
                "Unsupported contents were left out in {} tile{}: {}.", count, count == 1 ? "" : "s", what)));
        if (m_outside > 0)
            m_tree.warnings.push_back(
                damageWarning(fmt::format("{} references of the tileset were left out since they don't lead "
                                          "to files inside its folder, such as {}.",
                                          m_outside, m_firstOutside)));
        if (m_unread > 0)
            m_tree.warnings.push_back(
                damageWarning(fmt::format("{} documents of the tileset were left out since they are missing "
                                          "or referred to more than once, such as {}.",
                                          m_unread, m_firstUnread)));
        return std::move(m_tree);
    }

private:
    Json rootOf(const fs::path& path, bool isFirst) {
        ++m_documents;
        std::error_code unknown;
        m_seen.insert(fs::weakly_canonical(path, unknown));
        m_tree.documents.push_back(path);
        Json document = parseBoundedJson(readSmallFile(path, kMaxBytes),
                                         fmt::format("The tileset '{}'", path.filename().string()));
        if (!document.is_object() || !document.contains("root") || !document["root"].is_object())
            throw EngineError(
                fmt::format("'{}' is not a tileset: the object 'root' is missing.", path.filename().string()),
                "Open the file tileset.json of a 3D Tiles data set.");
        if (isFirst)
            m_tree.finestPoints = countIn(document, "finest_vertices", 0);
        return std::move(document["root"]);
    }

    void add(const OpenTile& tile) {
        TileTransform transform = tile.transform;
        if (const auto own = numbersOf(tile.json.value("transform", Json()), 16); !own.empty()) {
            TileTransform matrix{};
            std::ranges::copy(own, matrix.begin());
            transform = times(transform, matrix);
        }
        const auto box = boxOf(tile.json.value("boundingVolume", Json::object()), transform);
        const Json extensions = tile.json.value("extensions", Json::object());
        if (tile.json.contains("implicitTiling") || extensions.contains("3DTILES_implicit_tiling"))
            return leaveOut("implicit tiling");
        if (!box)
            return leaveOut("bounding volumes other than boxes, spheres and regions");
        DetailRefinement refinement = tile.refinement;
        if (const std::string refine = tile.json.value("refine", std::string()); !refine.empty())
            refinement = lowerCase(refine) == "add" ? DetailRefinement::add : DetailRefinement::replace;
        std::vector<fs::path> meshes;
        bool isDocument = false; // whether the content is another document, whose root replaces the tile
        for (const std::string& uri : urisOf(tile.json)) {
            const NamedFile named = namedFile(uri, tile.folder, m_root);
            const fs::path& path = named.path;
            const std::string ending = lowerEnding(path);
            // links of meshes are checked later, when the meshes are read
            if (named.fault != NameFault::none || (ending == ".json" && !liesWithin(path, m_root))) {
                noteOutside(uri);
                continue;
            }
            if (ending == ".json") {
                // documents are read without limit until the first mesh is found
                const bool isWanted = m_documents < m_maxDocuments || !m_hasMesh;
                if (!isWanted)
                    m_tree.isCut = true;
                else if (std::error_code unknown; !m_seen.contains(fs::weakly_canonical(path, unknown)) &&
                                                  fs::is_regular_file(path, unknown))
                    m_open.push_back(
                        {rootOf(path, false), path.parent_path(), transform, tile.parent, refinement});
                else if (m_unread++ == 0)
                    m_firstUnread = quoted(uri);
                isDocument = true;
                continue;
            }
            if (ending == ".glb" || ending == ".gltf")
                meshes.push_back(path);
            else
                leaveOut(unreadContent(ending));
        }
        if (isDocument && meshes.empty())
            return addChildren(tile, transform, tile.parent, refinement);
        m_hasMesh = m_hasMesh || !meshes.empty();
        DetailNode node;
        node.box = *box;
        node.parent = tile.parent;
        node.refinement = refinement;
        const double error = tile.json.value("geometricError", 0.0);
        // Scanloupe's writer sets the error to the diagonal of the cubes whose vertices it merges
        node.spacing = std::isfinite(error) ? std::max(error, 0.0) / std::numbers::sqrt3 : 0;
        const std::uint64_t vertices = countIn(tile.json, "vertices", meshes.size() * kUsualVertices);
        const std::uint64_t own = countIn(tile.json, "own_vertices", kAll);
        node.points = meshes.empty() ? 0 : std::min(vertices, own);
        m_tree.ownVertices.push_back(own);
        const auto number = std::uint32_t(m_tree.nodes.size());
        m_tree.nodes.push_back(node);
        m_tree.meshes.push_back(std::move(meshes));
        m_tree.transforms.push_back(transform);
        addChildren(tile, transform, number, refinement);
    }
    void addChildren(const OpenTile& tile, const TileTransform& transform, std::uint32_t parent,
                     DetailRefinement refinement) {
        if (const Json children = tile.json.value("children", Json::array()); children.is_array())
            for (const Json& child : children)
                if (child.is_object())
                    m_open.push_back({child, tile.folder, transform, parent, refinement});
    }
    void leaveOut(const std::string& what) {
        constexpr std::size_t most = 16; // number of kinds with a separate message
        const bool hasSentence = m_leftOut.size() < most || m_leftOut.contains(what);
        ++m_leftOut[hasSentence ? what : "contents of other formats"];
    }

    static std::string quoted(const std::string& uri) {
        constexpr std::size_t most = 80; // maximum number of characters
        return fmt::format("'{}{}'", uri.substr(0, most), uri.size() > most ? "…" : "");
    }
    void noteOutside(const std::string& uri) {
        if (m_outside++ == 0)
            m_firstOutside = quoted(uri);
    }

    static constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();

    /// Returns a count from the `extras` of an object, or `without` if there is no valid count. `extras` may
    /// have any content.
    static std::uint64_t countIn(const Json& object, const char* name, std::uint64_t without) {
        const Json extras = object.value("extras", Json::object());
        return extras.is_object() && extras.contains(name) && extras[name].is_number_unsigned()
                   ? extras[name].get<std::uint64_t>()
                   : without;
    }
    /// Returns the URIs of the tile's content or contents. In 3D Tiles 1.0, multiple contents are in an
    /// extension.
    static std::vector<std::string> urisOf(const Json& tile) {
        std::vector<std::string> uris;
        const auto add = [&](const Json& content) {
            for (const char* name : {"uri", "url"}) // `url` is used before 3D Tiles 1.0
                if (content.is_object() && content.contains(name) && content[name].is_string())
                    uris.push_back(content[name].get<std::string>());
        };
        add(tile.value("content", Json::object()));
        const auto addAll = [&](const Json& object, const char* name) {
            if (object.is_object() && object.contains(name) && object[name].is_array())
                std::ranges::for_each(object[name], add);
        };
        addAll(tile, "contents");
        if (const Json extensions = tile.value("extensions", Json::object()); extensions.is_object()) {
            const Json several = extensions.value("3DTILES_multiple_contents", Json::object());
            addAll(several, "contents");
            addAll(several, "content"); // name of `contents` in drafts of the standard
        }
        return uris;
    }
    std::size_t m_maxDocuments, m_documents = 0;
    std::set<fs::path> m_seen; // documents that were read; documents may refer to each other
    bool m_hasMesh = false;
    std::stop_token m_stop;
    std::deque<OpenTile> m_open; // tiles to add, level by level, so that parents precede their children
    TilesetTree m_tree;
    std::map<std::string, std::uint64_t> m_leftOut; ///< number of contents of each unsupported kind
    std::uint64_t m_outside = 0, m_unread = 0;
    std::string m_firstOutside, m_firstUnread; ///< quoted references for messages
    fs::path m_root;                           ///< folder of the first document
};

} // namespace

TilesetTree readTilesetTree(const InputFile& file, std::size_t maxDocuments, const std::stop_token& stop) {
    try {
        return TreeReader(maxDocuments, stop).read(file);
    } catch (const Json::exception&) {
        throw EngineError(
            fmt::format("'{}' is not a valid tileset: a value in it has the wrong JSON type.", file.name()),
            "Export the tileset again.");
    }
}

std::vector<fs::path> tilesetFiles(const fs::path& tileset, const std::stop_token& stop) {
    try {
        TilesetTree tree = readTilesetTree(InputFile(tileset), std::numeric_limits<std::size_t>::max(), stop);
        std::vector<fs::path> files = std::move(tree.documents);
        for (const std::vector<fs::path>& meshes : tree.meshes)
            std::ranges::copy(meshes, std::back_inserter(files));
        return files;
    } catch (const EngineError&) { // the reader reports the error when it opens the file
        return {};
    }
}

} // namespace scanloupe
