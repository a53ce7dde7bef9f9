// Reads the vertices of the meshes of 3D Tiles as points.
#include "engine/io/tileset/read_tileset.h"

#include "engine/cloud/damage.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/compute/memory.h"
#include "engine/io/common/named_file.h"
#include "engine/io/common/progress_meter.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/row_subsample.h"
#include "engine/io/glb/read_glb.h"
#include "engine/io/tileset/tileset_tree.h"
#include "kernels/core/parallel.h"
#include "kernels/voxelize/core/voxel_strategy.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace scanloupe {

namespace {

constexpr std::array<const char*, 3> kNormals{"normal_x", "normal_y", "normal_z"};
constexpr std::array<const char*, 3> kColours{"red", "green", "blue"};

/// Returns three attributes for `points` points, with uninitialized values.
std::vector<Attribute> attributesOf(const std::array<const char*, 3>& names, ScalarType type,
                                    std::size_t points) {
    std::vector<Attribute> attributes(names.size());
    for (std::size_t a = 0; a < names.size(); ++a) {
        attributes[a].name = names[a];
        attributes[a].type = type;
        attributes[a].allocate(points);
    }
    return attributes;
}

/// Returns whether all meshes have 8-bit colours; null meshes are ignored.
bool haveColours(std::span<const std::shared_ptr<const PointCloud>> clouds) {
    return std::ranges::all_of(clouds, [](const auto& cloud) {
        return !cloud || std::ranges::all_of(kColours, [&](const char* name) {
            const Attribute* colour = cloud->attribute(name);
            return colour && colour->type == ScalarType::uint8;
        });
    });
}

/// A mesh that belongs to a tile.
struct TileMesh {
    std::size_t node = 0; ///< index of the tile in TilesetTree::nodes
    std::filesystem::path path;
};

/// Returns the warnings about damaged meshes: those of the first few meshes, and the number of further ones.
std::vector<std::string> damageOf(std::span<const std::shared_ptr<const PointCloud>> clouds,
                                  std::span<const TileMesh> meshes) {
    constexpr std::size_t named = 5;
    std::vector<std::string> damage;
    std::size_t damaged = 0;
    for (std::size_t i = 0; i < clouds.size(); ++i) {
        if (!clouds[i])
            continue;
        std::vector<std::string> warnings = clouds[i]->warnings;
        std::ranges::copy(clouds[i]->loadWarnings(), std::back_inserter(warnings));
        std::erase_if(warnings, [](const std::string& warning) { return !isDamageWarning(warning); });
        if (warnings.empty() || ++damaged > named)
            continue;
        for (const std::string& warning : warnings)
            damage.push_back(warningOfFile(meshes[i].path.filename().string(), warning));
    }
    if (damaged > named)
        damage.push_back(
            damageWarning(fmt::format("Another {} meshes of the tileset are damaged.", damaged - named)));
    return damage;
}

bool meets(const Bounds& box, const std::optional<Bounds>& range) {
    for (int axis = 0; range && axis < 3; ++axis)
        if (box.min[axis] > range->max[axis] || box.max[axis] < range->min[axis])
            return false;
    return true;
}

/// Returns the tiles to read. For a view, these are the tiles that it shows. For a subsample, these are the
/// tiles of the finest level with at most twice as many points as requested. Otherwise, these are the tiles
/// in the range that are fine enough for the resolution.
ViewNodes nodesFor(const TilesetTree& tree, const ReadOptions& options) {
    const OctreeReading reading = options.octree.value_or(OctreeReading{});
    if (reading.view)
        return nodesForView(tree.nodes, *reading.view);
    const std::size_t count = tree.nodes.size();
    std::vector<std::size_t> depths(count);
    std::vector<char> isLeaf(count, 1);
    std::size_t deepest = 0;
    for (std::size_t i = 0; i < count; ++i)
        if (const std::uint32_t parent = tree.nodes[i].parent; parent != DetailNode::kNoParent) {
            depths[i] = depths[parent] + 1;
            isLeaf[parent] = 0;
            deepest = std::max(deepest, depths[i]);
        }
    // selects tiles from the root downwards; parents precede their children in the list
    const auto chosenBy = [&](const auto& isFine) {
        std::vector<std::size_t> nodes;
        std::vector<char> isOpen(count, 1);
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t parent = tree.nodes[i].parent;
            const bool isReached = parent == DetailNode::kNoParent || isOpen[parent];
            const bool isEnough = isLeaf[i] || (tree.nodes[i].points > 0 && isFine(i));
            const bool adds = tree.nodes[i].refinement == DetailRefinement::add;
            isOpen[i] = isReached && !isEnough;
            if (isReached && (isEnough || adds) && meets(tree.nodes[i].box, reading.range))
                nodes.push_back(i);
        }
        return nodes;
    };
    if (options.subsample == 0)
        return {chosenBy([&](std::size_t i) {
                    return reading.resolution > 0 && tree.nodes[i].spacing <= reading.resolution;
                }),
                true};
    ViewNodes chosen;
    for (std::size_t depth = 0; depth <= deepest; ++depth) {
        std::vector<std::size_t> nodes = chosenBy([&](std::size_t i) { return depths[i] == depth; });
        std::uint64_t points = 0;
        for (const std::size_t node : nodes)
            points += tree.nodes[node].points;
        if (!chosen.nodes.empty() && points > 2 * std::uint64_t{options.subsample})
            break;
        chosen.nodes = std::move(nodes);
    }
    return chosen;
}

} // namespace

bool beginsTileset(std::string_view head) {
    const std::size_t first = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    return first != std::string_view::npos && head[first] == '{' &&
           head.find("\"asset\"") != std::string_view::npos &&
           head.find("\"geometricError\"") != std::string_view::npos;
}

std::shared_ptr<const PointCloud> readTileset(const InputFile& file, const ReadOptions& options,
                                              const std::stop_token& stop) {
    constexpr std::size_t forALook = 1, all = std::numeric_limits<std::size_t>::max();
    TilesetTree tree = readTilesetTree(file, options.subsample > 0 ? forALook : all, stop);
    if (tree.isCut && tree.finestPoints == 0)
        tree = readTilesetTree(file, all,
                               stop); // the total number of points is unknown until all documents are read
    std::uint64_t finest = tree.finestPoints;
    if (finest == 0)
        for (const std::size_t node : nodesFor(tree, {}).nodes)
            finest += tree.nodes[node].points;
    const ViewNodes chosen = nodesFor(tree, options);
    if (chosen.nodes.empty() && !tree.nodes.empty()) {
        Bounds whole = tree.nodes.front().box;
        for (const DetailNode& node : tree.nodes)
            whole = {min(whole.min, node.box.min), max(whole.max, node.box.max)};
        throw EngineError(fmt::format("no tile of the tileset '{}' overlaps the range", file.name()),
                          fmt::format("Choose a range that overlaps the tileset, which extends from "
                                      "{:.2f},{:.2f},{:.2f} to {:.2f},{:.2f},{:.2f}.",
                                      whole.min.x, whole.min.y, whole.min.z, whole.max.x, whole.max.y,
                                      whole.max.z));
    }
    std::vector<TileMesh> meshes;
    std::uint64_t expected = 0;
    for (const std::size_t node : chosen.nodes) {
        expected += tree.nodes[node].points;
        for (const std::filesystem::path& path : tree.meshes[node])
            meshes.push_back({node, path});
    }
    if (options.subsample > 0 && !RowSubsample::isWorthIt(finest, expected))
        return nullptr;
    requireMemory({"The vertices of '" + file.name() + "'", expected * (sizeof(Vec3d) + sizeof(Vec3f)),
                   "Open it in the main window, which reads only the points that a view needs."},
                  availableHostMemory());
    std::vector<std::shared_ptr<const PointCloud>> clouds(meshes.size());
    std::atomic<std::uint64_t> missing = 0, outside = 0;
    ProgressMeter meter(options.progress, meshes.size());
    parallelFor(meshes.size(), 1, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            try {
                const std::filesystem::path& mesh = meshes[i].path;
                if (!liesWithin(mesh, file.path().parent_path())) {
                    ++outside;
                    continue;
                }
                clouds[i] = readGlb(InputFile(mesh), {}, stop);
                clouds[i]->loadAll(stop);
            } catch (const EngineError&) {
                ++missing;
            }
            meter.add(1);
        }
    });
    std::vector<std::size_t> first{0};
    bool haveNormals = true;
    for (std::size_t i = 0; i < clouds.size(); ++i) {
        const auto& cloud = clouds[i];
        const std::uint64_t own =
            tree.ownVertices[meshes[i].node]; // the other vertices are repeated in other tiles and read there
        first.push_back(first.back() +
                        (cloud ? std::size_t(std::min<std::uint64_t>(own, cloud->size())) : 0));
        for (const char* name : kNormals)
            haveNormals = haveNormals && (!cloud || cloud->attribute(name));
    }
    if (first.back() == 0)
        throw EngineError(
            fmt::format("the tileset '{}' has no readable mesh ({} tried)", file.name(), meshes.size()),
            "Check that the files of its meshes exist next to it and are readable.");
    std::vector<std::string> damage = damageOf(clouds, meshes); // collected before the clouds are released
    DoublePositions positions{Buffer<Vec3d>::host(first.back())};
    std::vector<Attribute> normals, colours;
    if (haveNormals)
        normals = attributesOf(kNormals, ScalarType::float32, first.back());
    if (haveColours(clouds))
        colours = attributesOf(kColours, ScalarType::uint8, first.back());
    parallelFor(clouds.size(), 1, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const TileTransform& to = tree.transforms[meshes[i].node];
            for (std::size_t row = 0; row < first[i + 1] - first[i]; ++row) {
                positions.xyz[first[i] + row] = placed(to, clouds[i]->position(row), 1);
                for (std::size_t c = 0; c < colours.size(); ++c)
                    colours[c].dataToFill()[first[i] + row] = clouds[i]->attribute(kColours[c])->data()[row];
                if (!haveNormals)
                    continue;
                Vec3d normal;
                for (int axis = 0; axis < 3; ++axis)
                    normal[axis] = clouds[i]->attribute(kNormals[std::size_t(axis)])->value(row);
                normal = placed(to, normal, 0); // correct for rotations and uniform scales only
                for (int axis = 0; axis < 3; ++axis)
                    reinterpret_cast<float*>(normals[std::size_t(axis)].dataToFill())[first[i] + row] =
                        float(normal[axis]);
            }
            clouds[i] = nullptr;
        }
    });
    std::ranges::move(colours, std::back_inserter(normals));
    auto cloud = std::make_shared<PointCloud>(std::move(positions), std::move(normals), stop);
    cloud->path = file.path().string();
    cloud->format = "3D Tiles, vertices of glTF";
    cloud->warnings = tree.warnings;
    std::ranges::move(damage, std::back_inserter(cloud->warnings));
    if (missing > 0)
        addDamage(*cloud, fmt::format("{} of {} meshes of the tileset can't be read and were left out.",
                                      missing.load(), meshes.size()));
    if (outside > 0)
        addDamage(
            *cloud,
            fmt::format("{} meshes of the tileset were left out: they are links to files outside its folder.",
                        outside.load()));
    if (!chosen.isWhole) {
        cloud->subsampledFrom = std::max<std::uint64_t>(finest, cloud->size());
        cloud->isChosenForView = options.subsample == 0;
        cloud->viewSpacing = chosen.spacing;
    }
    return cloud;
}

} // namespace scanloupe
