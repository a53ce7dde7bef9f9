// The table of the stages, and the questions that are answered from it.
#include "engine/recipe/stage.h"

#include "engine/recipe/colour_mode.h"
#include "engine/recipe/parameters.h"

#include <algorithm>

namespace scanloupe {

namespace {

bool ofCloud(const Recipe&, bool isVolume) {
    return !isVolume;
}
bool ofVolume(const Recipe&, bool isVolume) {
    return isVolume;
}
bool hasEdits(const Recipe& recipe, bool isVolume) {
    return !isVolume && !haveSameEffect(pointLayers(recipe.edits.layers), {});
}
bool isSculpted(const Recipe& recipe, bool) {
    return !haveSameEffect(sculptLayers(recipe.edits.layers), {});
}
bool isSculptedOrVolume(const Recipe& recipe, bool isVolume) {
    return isVolume || isSculpted(recipe, isVolume);
}
bool showsVoxels(const Recipe& recipe, bool isVolume) {
    return !isVolume && recipe.show == PictureContent::voxels;
}
bool hasSelection(const Recipe& recipe, bool isVolume) {
    return !isVolume && !recipe.edits.selection.empty();
}
bool cleansUp(const Recipe& recipe, bool) {
    return recipe.minComponentTriangles > 0 || recipe.decimateTo > 0;
}
bool hasSection(const Recipe& recipe, bool) {
    return recipe.section.has_value();
}
bool coloursByDistance(const Recipe& recipe, bool isVolume) {
    return !isVolume && colourModeOf(recipe.colourBy).data == ColourData::distances;
}
bool showsMesh(const Recipe& recipe, bool isVolume) {
    return isVolume || recipe.show == PictureContent::mesh;
}
/// While a mesh is edited, its picture goes on from the last one; not that of a mesh after clean-up.
bool isDrawnAnew(const Recipe& recipe, bool isVolume) {
    return !showsMesh(recipe, isVolume) || cleansUp(recipe, isVolume) ||
           (!hasEdits(recipe, isVolume) && !isSculpted(recipe, isVolume));
}
bool showsDistancesOfPoints(const Recipe& recipe, bool isVolume) {
    return coloursByDistance(recipe, isVolume) && !showsMesh(recipe, isVolume);
}

std::vector<StageDeclaration> declare() {
    using enum Stage;
    return {
        {upload, "upload", ofCloud},
        {.stage = edit, .name = "edit", .isWanted = hasEdits, .takes = {{upload}}, .readsLayers = true},
        {.stage = selection,
         .name = "selection",
         .isWanted = hasSelection,
         .takes = {{upload}, {edit}},
         .readsSelection = true},
        {voxelize, "voxelize", ofCloud, {{upload}, {edit}}},
        {field, "field", nullptr, {{upload}, {edit}, {voxelize}}},
        {autoIso, "auto_iso", nullptr, {{voxelize}, {field}}},
        {.stage = sculpt,
         .name = "sculpt",
         .isWanted = isSculpted,
         .takes = {{upload}, {field}},
         .readsSculpting = true},
        {.stage = shownVoxels,
         .name = "shown_voxels",
         .isWanted = isSculptedOrVolume,
         .takes = {{voxelize}, {field}, {sculpt}},
         .continuesAcross = sculpt},
        {extract, "extract", nullptr, {{field}, {sculpt}}},
        {clean, "clean", cleansUp, {{extract}}},
        {section, "section", hasSection, {{extract}, {clean}}},
        {pointSearch, "point_search", coloursByDistance, {{upload}, {edit}, {voxelize}}},
        {distances, "distances", coloursByDistance, {{extract}, {clean}, {pointSearch}}},
        {topology, "topology", nullptr, {{extract}, {clean}}},
        {triangleTree, "triangle_tree", ofCloud, {{extract}, {clean}}},
        {quality,
         "quality",
         nullptr,
         {{upload}, {edit}, {voxelize}, {field}, {extract}, {clean}, {topology}, {triangleTree}}},
        {scene,
         "scene",
         nullptr,
         {{upload},
          {edit},
          {selection},
          {voxelize}, // for the colours
          {shownVoxels, showsVoxels},
          {extract, showsMesh},
          {clean, showsMesh},
          {distances, showsMesh},
          {quality, showsDistancesOfPoints}},
         isDrawnAnew},
        {picture, "rasterize", nullptr, {{upload}, {edit}, {field, ofVolume}, {scene}}, isDrawnAnew, true},
        {voxelView,
         "voxel_view",
         nullptr,
         {{upload}, {edit}, {selection}, {voxelize}, {shownVoxels}, {quality, coloursByDistance}}},
        {meshView,
         "mesh_view",
         nullptr,
         {{upload}, {edit}, {selection}, {voxelize}, {extract}, {clean}, {distances}}},
    };
}

} // namespace

std::span<const StageDeclaration> stageDeclarations() {
    static const std::vector<StageDeclaration> all = declare();
    return all;
}

const StageDeclaration& declarationOf(Stage stage) {
    return stageDeclarations()[std::size_t(stage)];
}

bool isWanted(Stage stage, const Recipe& resolved, bool isVolume) {
    const StageCondition condition = declarationOf(stage).isWanted;
    return !condition || condition(resolved, isVolume);
}

bool takes(Stage stage, Stage other, const Recipe& resolved, bool isVolume) {
    return std::ranges::any_of(declarationOf(stage).takes, [&](const TakenStage& taken) {
        return taken.stage == other && (!taken.when || taken.when(resolved, isVolume)) &&
               isWanted(other, resolved, isVolume);
    });
}

bool readsTheSame(Stage stage, const Recipe& a, const Recipe& b, bool isVolume) {
    const StageDeclaration& declared = declarationOf(stage);
    if ((declared.readsCamera && a.camera != b.camera) ||
        (declared.readsLayers && !haveSameEffect(pointLayers(a.edits.layers), pointLayers(b.edits.layers))) ||
        (declared.readsSculpting &&
         !haveSameEffect(sculptLayers(a.edits.layers), sculptLayers(b.edits.layers))) ||
        (declared.readsSelection && a.edits.selection != b.edits.selection))
        return false;
    return std::ranges::all_of(
        parameters(), [&](const Parameter& p) { return !p.isReadBy(stage, a, isVolume) || p.isSame(a, b); });
}

} // namespace scanloupe
