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
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>
#include <set>

namespace scanloupe {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20; // of a document
constexpr std::uint64_t kUsualVertices = 60'000;               // of a tile that doesn't tell
constexpr TileTransform kIdentity{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

TileTransform times(const TileTransform& a, const TileTransform& b) {
    TileTransform product{};
    for (std::size_t column = 0; column < 4; ++column)
        for (std::size_t row = 0; row < 4; ++row)
            for (std::size_t i = 0; i < 4; ++i)
                product[4 * column + row] += a[4 * i + row] * b[4 * column + i];
    return product;
}

std::vector<double> numbersOf(const Json& json, std::size_t count) {
    std::vector<double> numbers;
    if (json.is_array() && json.size() == count)
        for (const Json& one : json)
            if (one.is_number())
                numbers.push_back(one.get<double>());
    return numbers.size() == count ? numbers : std::vector<double>();
}

/// The box around an oriented box or a sphere after a transform; none of other volumes.
std::optional<Bounds> boxOf(const Json& volume, const TileTransform& to) {
    const auto placed = [&](Vec3d v, double one) {
        return Vec3d{to[0] * v.x + to[4] * v.y + to[8] * v.z + to[12] * one,
                     to[1] * v.x + to[5] * v.y + to[9] * v.z + to[13] * one,
                     to[2] * v.x + to[6] * v.y + to[10] * v.z + to[14] * one};
    };
    std::array<Vec3d, 3> halves;
    Vec3d middle;
    if (const auto box = numbersOf(volume.value("box", Json()), 12); !box.empty()) {
        middle = {box[0], box[1], box[2]};
        for (std::size_t i = 0; i < 3; ++i)
            halves[i] = {box[3 + 3 * i], box[4 + 3 * i], box[5 + 3 * i]};
    } else if (const auto sphere = numbersOf(volume.value("sphere", Json()), 4); !sphere.empty()) {
        middle = {sphere[0], sphere[1], sphere[2]};
        for (int i = 0; i < 3; ++i)
            halves[std::size_t(i)][i] = sphere[3];
    } else {
        return std::nullopt;
    }
    middle = placed(middle, 1);
    Vec3d reach;
    for (const Vec3d half : halves) {
        const Vec3d turned = placed(half, 0);
        for (int axis = 0; axis < 3; ++axis)
            reach[axis] += std::abs(turned[axis]);
    }
    if (!isFinite(middle) || !isFinite(reach))
        return std::nullopt;
    return Bounds{middle - reach, middle + reach};
}

/// A tile whose place in the tree is known.
struct OpenTile {
    Json json;
    fs::path folder;
    TileTransform transform;
    std::uint32_t parent = DetailNode::kNoParent;
};

class TreeReader {
public:
    TreeReader(std::size_t mostDocuments, const std::stop_token& stop)
        : m_mostDocuments(mostDocuments), m_stop(stop) {}

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
        const bool isEmpty = std::ranges::all_of(m_tree.meshes, &fs::path::empty);
        if (isEmpty && m_outside > 0)
            throw EngineError(
                fmt::format("'{}' names no mesh within its folder: {}, for instance, is not read.",
                            file.name(), m_firstOutside),
                "Copy all files of the tileset into one folder, with its tileset.json on top.");
        if (isEmpty && m_leftOut > 0)
            throw EngineError(
                fmt::format("'{}' has tiles of other kinds than GLB in boxes or spheres, and none "
                            "of these.",
                            file.name()),
                "Convert the tileset to 3D Tiles 1.1 with GLB.");
        if (m_leftOut > 0)
            m_tree.warnings.push_back(damageWarning(
                fmt::format("{} tiles are of other kinds than GLB in boxes or spheres, and were "
                            "left out.",
                            m_leftOut)));
        if (m_outside > 0)
            m_tree.warnings.push_back(damageWarning(fmt::format(
                "{} names in the tileset lead to no file within its folder, and were left out, such as {}.",
                m_outside, m_firstOutside)));
        if (m_unread > 0)
            m_tree.warnings.push_back(damageWarning(
                fmt::format("{} documents of the tileset are missing, or named more than once, and were left "
                            "out, such as {}.",
                            m_unread, m_firstUnread)));
        return std::move(m_tree);
    }

private:
    Json rootOf(const fs::path& path, bool isFirst) {
        ++m_documents;
        std::error_code unknown;
        m_seen.insert(fs::weakly_canonical(path, unknown));
        m_tree.documents.push_back(path);
        Json document = parseBoundedJson(readSmallFile(path, kMostBytes),
                                         fmt::format("The tileset '{}'", path.filename().string()));
        if (!document.is_object() || !document.contains("root") || !document["root"].is_object())
            throw EngineError(fmt::format("'{}' is no tileset: it has no root.", path.filename().string()),
                              "Open the tileset.json of 3D Tiles.");
        if (isFirst) {
            if (document["root"].value("refine", std::string("REPLACE")) == "ADD")
                m_tree.refinement = DetailRefinement::add;
            m_tree.finestPoints = countIn(document, "finest_vertices", 0);
        }
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
        if (!box || tile.json.contains("implicitTiling")) {
            ++m_leftOut;
            return;
        }
        fs::path mesh;
        bool isDocument = false; // its root stands for the tile
        for (const std::string& uri : urisOf(tile.json)) {
            const NamedFile named = namedFile(uri, tile.folder, m_root);
            const fs::path& path = named.path;
            const std::string ending = lowerEnding(path);
            // links of meshes are followed where they are read
            if (named.fault != NameFault::none || (ending == ".json" && !liesWithin(path, m_root))) {
                noteOutside(uri);
                continue;
            }
            if (ending == ".json") {
                // documents above all meshes are read in any case
                const bool isWanted = m_documents < m_mostDocuments || !m_hasMesh;
                if (!isWanted)
                    m_tree.isCut = true;
                else if (std::error_code unknown; !m_seen.contains(fs::weakly_canonical(path, unknown)) &&
                                                  fs::is_regular_file(path, unknown))
                    m_open.push_back({rootOf(path, false), path.parent_path(), transform, tile.parent});
                else if (m_unread++ == 0)
                    m_firstUnread = quoted(uri);
                isDocument = true;
                continue;
            }
            if (ending == ".glb" && mesh.empty())
                mesh = path;
            else
                ++m_leftOut;
        }
        if (isDocument && mesh.empty())
            return addChildren(tile, transform, tile.parent);
        m_hasMesh = m_hasMesh || !mesh.empty();
        DetailNode node;
        node.box = *box;
        node.parent = tile.parent;
        const double error = tile.json.value("geometricError", 0.0);
        // an error is the diagonal of the cubes whose vertices were put together
        node.spacing = std::isfinite(error) ? std::max(error, 0.0) / std::numbers::sqrt3 : 0;
        const std::uint64_t vertices = countIn(tile.json, "vertices", kUsualVertices);
        const std::uint64_t own = countIn(tile.json, "own_vertices", kAll);
        node.points = mesh.empty() ? 0 : std::min(vertices, own);
        m_tree.ownVertices.push_back(own);
        const auto number = std::uint32_t(m_tree.nodes.size());
        m_tree.nodes.push_back(node);
        m_tree.meshes.push_back(mesh);
        m_tree.transforms.push_back(transform);
        addChildren(tile, transform, number);
    }
    void addChildren(const OpenTile& tile, const TileTransform& transform, std::uint32_t parent) {
        if (const Json children = tile.json.value("children", Json::array()); children.is_array())
            for (const Json& child : children)
                if (child.is_object())
                    m_open.push_back({child, tile.folder, transform, parent});
    }

    static std::string quoted(const std::string& uri) {
        constexpr std::size_t most = 80; // letters in messages
        return fmt::format("'{}{}'", uri.substr(0, most), uri.size() > most ? "…" : "");
    }
    void noteOutside(const std::string& uri) {
        if (m_outside++ == 0)
            m_firstOutside = quoted(uri);
    }

    static constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();

    /// A count among the extras of an object, which may have anything there.
    static std::uint64_t countIn(const Json& object, const char* name, std::uint64_t without) {
        const Json extras = object.value("extras", Json::object());
        return extras.is_object() && extras.contains(name) && extras[name].is_number_unsigned()
                   ? extras[name].get<std::uint64_t>()
                   : without;
    }
    /// Of its content, or of all of its contents.
    static std::vector<std::string> urisOf(const Json& tile) {
        std::vector<std::string> uris;
        const auto add = [&](const Json& content) {
            if (content.is_object() && content.contains("uri") && content["uri"].is_string())
                uris.push_back(content["uri"].get<std::string>());
        };
        add(tile.value("content", Json::object()));
        if (const Json contents = tile.value("contents", Json::array()); contents.is_array())
            std::ranges::for_each(contents, add);
        return uris;
    }
    std::size_t m_mostDocuments, m_documents = 0;
    std::set<fs::path> m_seen; // documents, which may name each other
    bool m_hasMesh = false;
    std::stop_token m_stop;
    std::deque<OpenTile> m_open; // level by level, so that parents stand before their children
    TilesetTree m_tree;
    std::uint64_t m_leftOut = 0, m_outside = 0, m_unread = 0;
    std::string m_firstOutside, m_firstUnread; ///< names, in quotes
    fs::path m_root;                           ///< folder of the first document
};

} // namespace

TilesetTree readTilesetTree(const InputFile& file, std::size_t mostDocuments, const std::stop_token& stop) {
    try {
        return TreeReader(mostDocuments, stop).read(file);
    } catch (const Json::exception&) {
        throw EngineError(
            fmt::format("'{}' is no tileset: values in it are of other types than 3D Tiles have.",
                        file.name()),
            "Export the tileset once more.");
    }
}

std::vector<fs::path> tilesetFiles(const fs::path& tileset, const std::stop_token& stop) {
    try {
        TilesetTree tree = readTilesetTree(InputFile(tileset), std::numeric_limits<std::size_t>::max(), stop);
        std::vector<fs::path> files = std::move(tree.documents);
        std::ranges::remove_copy_if(tree.meshes, std::back_inserter(files), &fs::path::empty);
        return files;
    } catch (const EngineError&) { // reported where it is opened
        return {};
    }
}

} // namespace scanloupe
