// Reads the tiles of a TileStore.
#include "engine/survey/tiles/read_tile.h"

#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/inspect/unit_normals.h"
#include "engine/io/common/field_names.h"
#include "engine/io/common/read_options.h"
#include "engine/io/mesh_reader.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <vector>

namespace scanloupe {

namespace {

constexpr std::size_t kReadTileGrain = std::size_t{1} << 14;

/// Returns the values of vertices as stored by TileStore::write(), or nullopt if the file has other columns.
std::optional<VertexValues> valuesOf(const PointCloud& vertices, const SurveyAttributes& attributes,
                                     const std::stop_token& stop) {
    std::vector<const Attribute*> columns; // columns of the attributes
    vertices.loadAll(stop);
    for (const SurveyAttribute& wanted : attributes.list) {
        auto found = std::ranges::find_if(vertices.attributes(), [&](const Attribute& attribute) {
            return plainName(attribute.name) == plainName(wanted.name);
        });
        if (found == vertices.attributes().end()) // otherwise the attribute may have its canonical name in
                                                  // the file
            found =
                std::ranges::find(vertices.attributes(), canonicalNames({wanted.name})[0], &Attribute::name);
        if (found == vertices.attributes().end())
            return std::nullopt;
        columns.push_back(&*found);
    }
    const auto colours = std::span(columns).first(attributes.firstChannel()),
               channels = std::span(columns).subspan(attributes.firstChannel());
    VertexValues values;
    if (attributes.colours)
        values.colours.resize(vertices.size());
    values.channels.assign(channels.size(), std::vector<float>(vertices.size()));
    parallelFor(vertices.size(), kReadTileGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (attributes.colours) {
                values.colours[i] = 0xff000000u;
                for (std::size_t c = 0; c < 3; ++c)
                    values.colours[i] |= std::uint32_t(colours[c]->value(i)) << 8 * c;
            }
            for (std::size_t c = 0; c < channels.size(); ++c) {
                const SurveyAttribute& attribute = attributes.list[attributes.firstChannel() + c];
                const double least = attribute.isClasses ? attribute.range.min : attribute.offset();
                values.channels[c][i] = float(channels[c]->value(i) - least);
            }
        }
    });
    return values;
}

} // namespace

TileSurface readTile(const TileStore& store, const TilePlan& plan, const TileRecord& record,
                     const std::stop_token& stop) {
    const MeshFile file = readMeshOrScan(store.folder() / record.mesh.path, {}, stop);
    const PointCloud& vertices = *file.vertices;
    TileSurface surface;
    surface.points = record.points;
    surface.voxels = record.voxels;
    surface.ownVertices = record.vertices;
    surface.bricks = store.bricksOf(record.tile);
    surface.seams = store.seamsOf(record.tile);
    surface.mesh.normals = unitNormals(vertices, 1, stop);
    auto values = valuesOf(vertices, plan.params().attributes, stop);
    std::uint64_t own = 0, triangles = 0;
    for (const PartBrick& brick : surface.bricks) {
        own += brick.vertices;
        triangles += brick.triangles;
    }
    if (own != record.vertices || triangles != record.triangles ||
        vertices.size() != record.vertices + surface.seams.size() ||
        surface.mesh.normals.size() != vertices.size() || !values ||
        file.faces.indices.size() != 3 * record.triangles)
        throw EngineError(fmt::format("The tile '{}' is damaged: its counts do not match the job's records.",
                                      (store.folder() / record.mesh.path).string()),
                          "Run the job again: it recomputes damaged tiles.");
    surface.values = *std::move(values);
    const Vec3d origin = plan.params().origin;
    surface.mesh.positions = Buffer<Vec3f>::host(vertices.size());
    parallelFor(vertices.size(), 1 << 16, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            surface.mesh.positions[i] = (vertices.position(i) - origin).as<float>();
    });
    surface.mesh.indices = hostCopy(std::span<const std::uint32_t>(file.faces.indices));
    return surface;
}

} // namespace scanloupe
