#pragma once
// A project that uses every feature.
#include "engine/project/project.h"
#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe.h"

#include <filesystem>

namespace scanloupe::test {

inline Recipe recipeWith(const char* key, const char* value) {
    Recipe recipe;
    setFromText(recipe, parameter(key), value);
    return recipe;
}

inline Project sampleProject(const std::filesystem::path& folder) {
    Project project;
    project.kind = ProjectKind::place;
    project.scans = {
        {folder / "scans/a.ply"}, {folder / "scans/b \xff.ply"}, {folder / "../elsewhere/c.ply"}};
    project.scans[1].isVisible = false;
    project.scans[2].pose = RigidTransform{{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}, {512701.25, 2.5, -1e-3}};
    project.scans[0].verdict = PoseVerdict{PoseWord::right, 1, PoseReason::isReference};
    project.scans[1].verdict = PoseVerdict{PoseWord::wrong, 0.0625, PoseReason::seenThrough};
    project.scans[2].verdict = PoseVerdict{PoseWord::doubtful, 0.9, PoseReason::rival};
    project.scans[0].recipe = recipeWith("voxel_size", "0.125");
    (*project.scans[0].recipe)->camera.emplace();
    (*project.scans[0].recipe)->camera->eye = {1, 2, 3};
    project.shown = Project::kTogether;
    project.isAligned = true;
    project.recipe = recipeWith("iso", "0.25");
    project.measures = {
        {MeasureKind::distance,
         "door",
         {{{1.25, 2, 3}, MeasureSnap::scanPoint}, {{512701.0625, 0, 1e-7}, MeasureSnap::surface}},
         0x12ab00,
         false},
        {MeasureKind::point, "Zaun \"ü\"", {{{0, 0, 0}, MeasureSnap::scanPoint}}, 0xffffff, true}};
    project.steps = {{recipeWith("voxel_size", "1"), {}, {true, false, true}, true, ""},
                     {recipeWith("voxel_size", "2"), project.measures, {}, false, "Voxel size: 1 m → 2 m"}};
    project.step = 1;
    project.steps[1].reference = project.reference = {LengthUnit::surveyFoot, "EPSG:2225 \xff"};
    project.scans[0].measures = {project.measures[1]};
    project.scans[0].reference = {LengthUnit::millimetre, {}};
    project.together = project.steps[1];
    project.together->recipe = recipeWith("iso", "0.75");
    project.together->words.clear();
    project.window = R"({"layout":"side by side","measures":[1,2]})";
    return project;
}

} // namespace scanloupe::test
