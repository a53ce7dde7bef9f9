// Describes tiling jobs as JSON.
#include "engine/survey/tiles/manifest.h"

#include "engine/cloud/attribute.h"
#include "engine/compute/build_info.h"
#include "engine/io/common/file_checksum.h"
#include "engine/recipe/recipe_file.h"

#include <nlohmann/json.hpp>

namespace scanloupe {

namespace {

using Json = nlohmann::ordered_json;

Json jsonOf(Vec3d v) {
    return {v.x, v.y, v.z};
}

Json jsonOf(const SurveyAttributes& attributes) {
    Json list = Json::array();
    for (const SurveyAttribute& attribute : attributes.list)
        list.push_back({{"name", attribute.name},
                        {"type", nameOf(attribute.type)},
                        {"range", {attribute.range.min, attribute.range.max}},
                        {"average", attribute.isClasses ? "mode" : "mean"}});
    return list;
}

/// Returns the parameters that affect the surface, in the frame of the file.
Json valuesOf(const TilePlan& plan) {
    const SurveyParams& params = plan.params();
    const Vec3d low = params.voxels.rangeMin.as<double>() + params.origin,
                high = params.voxels.rangeMax.as<double>() + params.origin;
    Json json{{"origin", jsonOf(params.origin)},
              {"range", {low.x, low.y, low.z, high.x, high.y, high.z}},
              {"voxel_size", jsonOf(params.voxels.voxelSize.as<double>())},
              {"field", params.field.kind == FieldKind::density ? "density" : "occupancy"},
              {"radius", double(params.field.radius)},
              {"iso", double(params.iso)}};
    if (!params.attributes.list.empty())
        json["attributes"] = jsonOf(params.attributes);
    if (params.attributes.colours)
        json["colour_range"] = {params.attributes.colours->min, params.attributes.colours->max};
    return json;
}

Json tileSizeOf(const TilePlan& plan) {
    const Vec3d edge = plan.grid().voxelSize.as<double>() * double(kBrickEdge);
    return jsonOf(plan.tileBricks().as<double>() * edge);
}

Json rowOf(const TilePlan& plan, const TileRecord& record) {
    const Vec3i place = plan.placeOf(record.tile);
    const Bounds box = plan.boundsOf(record.tile);
    Json json{{"tile", {place.x, place.y, place.z}},
              {"min", jsonOf(box.min)},
              {"max", jsonOf(box.max)},
              {"points", record.points},
              {"voxels", record.voxels},
              {"vertices", record.vertices},
              {"seam_vertices", record.seamVertices},
              {"triangles", record.triangles},
              {"file", record.mesh.exists() ? Json(record.mesh.path) : Json()},
              {"bytes", record.mesh.bytes},
              {"crc32", record.mesh.crc},
              {"missing", record.missing}};
    if (const TileFile& file = record.voxelFile; file.exists())
        json["voxel_file"] = {{"path", file.path}, {"bytes", file.bytes}, {"crc32", file.crc}};
    return json;
}

} // namespace

std::string jobDescription(const TilePlan& plan, const TileEndings& endings) {
    Json json{{"program", buildInfo().version},
              {"values", valuesOf(plan)},
              {"tile_size", tileSizeOf(plan)},
              {"ending", endings.mesh}};
    if (!endings.voxels.empty())
        json["voxel_ending"] = endings.voxels;
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string manifestOf(const TilePlan& plan, const Recipe& recipe, const TileRunReport& report) {
    std::uint64_t points = 0, voxels = 0, vertices = 0, triangles = 0;
    Json tiles = Json::array();
    for (const TileRecord& record : report.tiles) {
        points += record.points;
        voxels += record.voxels;
        vertices += record.vertices;
        triangles += record.triangles;
        tiles.push_back(rowOf(plan, record));
    }
    const auto listOf = [](const std::vector<RefusedFile>& files) {
        Json list = Json::array();
        for (const RefusedFile& file : files)
            list.push_back({{"name", file.name}, {"why", file.why}});
        return list;
    };
    Json workers = Json::array();
    for (const WorkerReport& worker : report.workers) {
        workers.push_back({{"name", worker.name},
                           {"tiles", worker.tiles},
                           {"wait_ms", worker.waitMs},
                           {"compute_ms", worker.computeMs},
                           {"write_ms", worker.writeMs}});
        if (!worker.failure.empty())
            workers.back()["failure"] = worker.failure;
    }
    Json json{{"schema", "scanloupe/tiles/1"},
              {"program", versionAndCommit()},
              {"recipe", Json::parse(toJson(recipe))},
              {"values", valuesOf(plan)},
              {"tile_size", tileSizeOf(plan)},
              {"points", points},
              {"voxels", voxels},
              {"vertices", vertices},
              {"triangles", triangles},
              {"mesh_sha256", hexOf(report.digest)},
              {"tiles", tiles},
              {"refused", listOf(report.refused)},
              {"damaged", listOf(report.damaged)},
              {"run",
               {{"tiles_before", report.tilesBefore},
                {"points_read", report.points.read},
                {"points_outside", report.points.outside},
                {"points_not_finite", report.points.notFinite},
                {"points_strayed", report.points.strayed},
                {"bytes_read", report.bytesRead},
                {"bytes_packed", report.packedBytes},
                {"most_point_bytes", report.maxPointBytes},
                {"read_ms", report.readMs},
                {"wait_ms", report.waitMs},
                {"wall_ms", report.wallMs},
                {"workers", workers}}}};
    if (report.cleanUp)
        json["clean_up"] = {{"min_triangles", report.cleanUp->minTriangles},
                            {"parts", report.cleanUp->parts},
                            {"removed_parts", report.cleanUp->removedParts},
                            {"removed_triangles", report.cleanUp->removedTriangles}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace scanloupe
