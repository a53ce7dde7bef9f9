// Computes memory and work of the stages from the sizes of their inputs and results.
#include "engine/forecast/run_size.h"

#include "engine/cloud/categories.h"
#include "engine/picture/picture_bands.h"
#include "engine/recipe/parameters.h"
#include "engine/results/snapshot.h"
#include "engine/stages/attributes.h"
#include "kernels/mesh/distance/bvh.h"

#include <algorithm>
#include <cmath>

namespace scanloupe {

namespace {

double pixelsOf(const Recipe& recipe) {
    return double(recipe.imageWidth) * double(recipe.imageHeight);
}

double longestEdge(const Recipe& resolved) {
    return std::max({resolved.voxelSize->x, resolved.voxelSize->y, resolved.voxelSize->z});
}

StageWork fieldWork(const RunSize& size, const Recipe& resolved) {
    const double radius = *resolved.radius / longestEdge(resolved); // in voxels
    switch (*resolved.field) {
    case FieldKind::density: // each voxel is added to all nodes in its radius
        return {"density", size.voxels * std::pow(2 * std::max(radius, 1.0) + 1, 3), 3.6};
    case FieldKind::signedDistance:
        return {"distance", size.voxels, 1400};
    case FieldKind::occupancy:
    case FieldKind::volume:
        break;
    }
    if (radius > 0)
        return {"smoothed", size.bricks + size.voxels * std::pow(2 * radius + 1, 3) / 2000, 3000};
    return {"occupancy", size.bricks, 3000};
}

StageWork pictureWork(const RunSize& size, const Recipe& resolved) {
    const double pixels = 0.6 * pixelsOf(resolved);
    switch (resolved.show) {
    case PictureContent::points:
        return {"points", size.pointsInRange + pixels, 15};
    case PictureContent::voxels:
        return {"voxels", 4 * size.voxels + pixels, 20};
    case PictureContent::mesh:
        break;
    }
    return {"mesh", size.triangles + pixels, 30};
}

/// Colours and the primitives of what is drawn, and the pixels.
StageMemory pictureMemory(const RunSize& size, const Recipe& resolved) {
    double scene = 0; // bytes
    switch (resolved.show) {
    case PictureContent::points:
        scene = 16 * size.points;
        break;
    case PictureContent::voxels:
        scene = 24 * size.voxels;
        break;
    case PictureContent::mesh:
        scene = 8 * double(size.extracted.vertices) + 8 * double(size.extracted.triangles);
        break;
    }
    const bool averaged = resolved.show == PictureContent::points && resolved.points == PointBlend::averaged;
    const auto bytes = std::uint64_t(scene) + pictureBytes(std::uint64_t(pixelsOf(resolved)), 1, averaged);
    return {bytes, bytes};
}

} // namespace

RunSize runSizeOf(const Snapshot& snapshot) {
    RunSize size;
    size.points = double(snapshot.points->size());
    size.pointsInRange = double(snapshot.voxels->stats.pointsInRange);
    size.voxels = double(snapshot.voxels->size());
    size.bricks = double(snapshot.field->brickCount());
    size.triangles = double(snapshot.mesh->triangleCount());
    size.extracted = {snapshot.mesh->vertexCount(), snapshot.mesh->triangleCount()};
    if (snapshot.cleanUp)
        size.extracted = {snapshot.cleanUp->verticesBefore, snapshot.cleanUp->trianglesBefore};
    for (const Attribute* attribute : attributesLookedAt(snapshot.resolved, *snapshot.cloud))
        ++(isCategorical(*attribute) ? size.attributes.categories : size.attributes.numbers);
    return size;
}

StaleStages staleStages(const Recipe* last, const Recipe& next) {
    StaleStages stale{};
    for (const StageDeclaration& declaration : stageDeclarations()) {
        const Stage stage = declaration.stage;
        if (!isWanted(stage, next, false))
            continue;
        bool& isStale = stale[std::size_t(stage)];
        isStale = !last || !readsTheSame(stage, *last, next, false) || !isWanted(stage, *last, false);
        for (const StageDeclaration& other : stageDeclarations())
            isStale |= stale[std::size_t(other.stage)] && takes(stage, other.stage, next, false);
        if (last)
            for (const StageDeclaration& other : stageDeclarations())
                isStale |= takes(stage, other.stage, next, false) != takes(stage, other.stage, *last, false);
    }
    return stale;
}

std::uint64_t runBytes(const RunSize& size, const Recipe& resolved, const StaleStages& stale) {
    std::uint64_t held = 0, peak = 0;
    const auto runs = [&](Stage stage, const StageMemory& memory) {
        if (!stale[std::size_t(stage)])
            return;
        peak = std::max(peak, held + memory.peak);
        held += memory.result;
    };
    const auto points = std::uint64_t(size.points), voxels = std::uint64_t(size.voxels),
               bricks = std::uint64_t(size.bricks);
    runs(Stage::upload, hostPointsMemory(points));
    runs(Stage::voxelize, voxelizeMemory(points, voxels, size.attributes));
    runs(Stage::field, fieldMemory(voxels, bricks));
    if (isWanted(Stage::sculpt, resolved, false))
        runs(Stage::sculpt, sculptMemory(bricks));
    runs(Stage::extract, extractMemory(bricks, size.extracted, size.extractedBySycl));
    runs(Stage::clean, cleanMemory(size.extracted, resolved.decimateTo));
    runs(Stage::distances, distancesMemory(points, size.extracted.vertices));
    if (takes(Stage::scene, Stage::quality, resolved, false)) {
        const std::uint64_t bytes = Bvh::bytesFor(size.extracted.triangles) + points * 2 * sizeof(Vec3f);
        runs(Stage::quality, {bytes, bytes});
    }
    runs(Stage::picture, pictureMemory(size, resolved));
    return peak;
}

std::optional<StageWork> workOf(std::string_view stage, const RunSize& size, const Recipe& resolved) {
    if (stage == "upload")
        return StageWork{"", size.points, 1};
    if (stage == "voxelize") // points out of range are only looked at
        return StageWork{"", 0.25 * size.points + 0.75 * size.pointsInRange + 2.5 * size.voxels, 20};
    if (stage == "field")
        return fieldWork(size, resolved);
    if (stage == "sculpt") // the field is copied
        return StageWork{"", size.bricks, 300};
    if (stage == "extract") // each brick is looked through
        return StageWork{"", double(size.extracted.triangles) + 135 * size.bricks, 12};
    if (stage == "clean")
        return StageWork{resolved.decimateTo > 0 ? "decimated" : "", double(size.extracted.triangles), 60};
    if (stage == "distances") // the search tree, then a search for each vertex
        return StageWork{"", size.pointsInRange + 4 * double(size.extracted.vertices), 250};
    if (stage == "quality")
        return StageWork{"", size.pointsInRange + size.triangles, 1000};
    if (stage == "rasterize")
        return pictureWork(size, resolved);
    if (stage == "resolve")
        return StageWork{"", pixelsOf(resolved), 35};
    return std::nullopt;
}

std::vector<std::string_view> timedStages(const StaleStages& stale, const Recipe& resolved) {
    std::vector<std::string_view> stages;
    for (const Stage stage : {Stage::upload, Stage::voxelize, Stage::field, Stage::sculpt, Stage::extract,
                              Stage::clean, Stage::distances})
        if (stale[std::size_t(stage)] && (stage != Stage::sculpt || isWanted(stage, resolved, false)))
            stages.push_back(declarationOf(stage).name);
    if (stale[std::size_t(Stage::quality)] && takes(Stage::scene, Stage::quality, resolved, false))
        stages.push_back("quality");
    if (stale[std::size_t(Stage::picture)]) {
        stages.push_back("rasterize");
        stages.push_back("resolve");
    }
    return stages;
}

} // namespace scanloupe
