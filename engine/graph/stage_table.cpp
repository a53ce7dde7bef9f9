// Answers questions from the table of the stages.
#include "engine/graph/stage_table.h"

#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe.h"

#include <algorithm>

namespace scanloupe {

namespace {

bool counts(const ReadParameter& read, const Recipe& resolved, bool isVolume) {
    return !read.isGraded && (!read.when || read.when(resolved, isVolume));
}

} // namespace

ReadParameter::ReadParameter(std::string_view key, StageCondition condition, bool graded)
    : parameter(&scanloupe::parameter(key)), when(condition), isGraded(graded) {}

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

bool reads(Stage stage, const Parameter& parameter, const Recipe& resolved, bool isVolume) {
    return std::ranges::any_of(declarationOf(stage).reads, [&](const ReadParameter& read) {
        return read.parameter->key == parameter.key && counts(read, resolved, isVolume);
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
    return std::ranges::all_of(declared.reads, [&](const ReadParameter& read) {
        return !counts(read, a, isVolume) || read.parameter->isSame(a, b);
    });
}

} // namespace scanloupe
