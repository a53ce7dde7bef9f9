// Declares what the window's views show.
#include "engine/stages/views.h"

#include "engine/recipe/colour_mode.h"
#include "engine/recipe/recipe.h"
#include "engine/stages/distances.h"
#include "engine/stages/surface.h"

namespace scanloupe {

namespace {

bool showsHeights(const Recipe& recipe, bool) {
    return colourModeOf(recipe.colourBy).data == ColourData::height;
}
bool isMapped(const Recipe& recipe, bool) {
    const ColourData data = colourModeOf(recipe.colourBy).data;
    return data != ColourData::none && data != ColourData::rgb;
}
bool showsDeviations(const Recipe& recipe, bool isVolume) {
    return !isVolume && colourModeOf(recipe.colourBy).isOfDeviations;
}

} // namespace

std::vector<ReadParameter> readByColours() {
    return {{"colour_by"},
            {"colour_map"},
            {"colour_reversed"},
            {"colour_limits", isMapped},
            {"tolerance", showsDeviations},
            {"up", showsHeights}};
}

StageDeclaration VoxelViewStage::declaration() {
    using enum Stage;
    return {
        .stage = voxelView,
        .name = "voxel_view",
        .reads = readByColours(),
        .takes = {
            {upload}, {edit}, {selection}, {voxelize}, {shownVoxels}, {quality, DistancesStage::isWanted}}};
}

StageDeclaration MeshViewStage::declaration() {
    using enum Stage;
    return {.stage = meshView,
            .name = "mesh_view",
            .reads = readByColours(),
            .takes = withSurface({{upload}, {edit}, {selection}, {voxelize}, {distances}})};
}

} // namespace scanloupe
