// Converts projects from and to JSON.
#include "engine/cloud/error.h"
#include "engine/cloud/error_message.h"
#include "engine/edit/edits_json.h"
#include "engine/io/common/bounded_json.h"
#include "engine/io/common/text/json_name.h"
#include "engine/io/common/text/pose_json.h"
#include "engine/project/measures_json.h"
#include "engine/project/project.h"
#include "engine/project/project_models.h"
#include "engine/project/project_problem.h"
#include "engine/project/sample_json.h"
#include "engine/project/verdict_json.h"
#include "engine/recipe/recipe.h"
#include "engine/recipe/recipe_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>
#include <utility>

namespace scanloupe {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;
constexpr int kVersion = 1;
constexpr const char* kProject = "scanloupe_project";
constexpr std::size_t kMaxSystemBytes = 1 << 20; // maximum size of a coordinate system as WKT
constexpr const char* kWhat = "The project";
constexpr std::array<const char*, 4> kKinds{"scan", "sequence", "clouds", "place"}; // names in the order of
                                                                                    // ProjectKind

/// Limits, without which a file could take unlimited time to open.
constexpr std::size_t kMaxScans = 100'000, kMaxSteps = 10'000;

/// Writes a recipe as JSON. Its regions are added to `regions`, because the states of the history share most
/// of them.
Json jsonOf(Recipe recipe, RegionTable& regions) {
    const Edits edits = std::exchange(recipe.edits, {});
    Json json = Json::parse(toJson(recipe));
    if (!edits.empty())
        json["edits"] = toJson(edits, &regions);
    return json;
}
Recipe recipeOf(Json value, const RegionTable& regions) {
    Edits edits;
    if (value.contains("edits")) {
        edits = editsFromJson(value.at("edits"), &regions);
        value.erase("edits");
    }
    Recipe recipe = recipeFromJson(value.dump(-1, ' ', false, Json::error_handler_t::replace));
    recipe.edits = std::move(edits);
    return recipe;
}

/// Returns the result of `read` for a value. @param what beginning of the sentence if `read` reports a
/// problem
/// @throws EngineError if `read` reports a problem
template <class Read>
auto checked(const char* what, const Read& read, const Json& value) {
    std::string problem;
    auto result = read(value, problem);
    if (!problem.empty())
        refuseProject(fmt::format("{} {}", what, problem));
    return result;
}

/// Adds the unit and the coordinate system that the user has set.
void add(const ChosenReference& reference, Json& json) {
    if (reference.unit)
        json["unit"] = rowOf(*reference.unit).key;
    if (reference.system)
        json["coordinate_system"] = toJsonName(*reference.system);
}

ChosenReference referenceIn(const Json& json) {
    ChosenReference reference;
    if (json.contains("unit")) {
        const auto key = json.at("unit").get<std::string>();
        reference.unit = lengthUnitFromText(key);
        if (!reference.unit)
            refuseProject(fmt::format("'{}' is not a unit of length", key));
    }
    if (json.contains("coordinate_system"))
        reference.system = fromJsonName(json.at("coordinate_system"), kWhat, kMaxSystemBytes);
    return reference;
}

/// Returns the path from the project's folder to a file; empty if there is none.
fs::path relativePath(const fs::path& path, const fs::path& folder) {
    return fs::absolute(path).lexically_normal().lexically_relative(folder.lexically_normal());
}

std::string fullPath(const fs::path& path) {
    return fs::absolute(path).lexically_normal().generic_string();
}

/// Returns the absolute and the relative path of a file, as JSON.
Json pathsOf(const fs::path& path, const fs::path& folder) {
    Json json;
    if (const fs::path relative = relativePath(path, folder); !relative.empty())
        json["path"] = toJsonName(relative.generic_string());
    json["full_path"] = toJsonName(fullPath(path));
    return json;
}

Json jsonOf(const ProjectScan& scan, const fs::path& folder, RegionTable& regions) {
    Json json = scan.sample ? Json{{"sample", toJson(*scan.sample)}} : pathsOf(scan.path, folder);
    if (!scan.isVisible)
        json["visible"] = false;
    if (scan.pose)
        json["pose"] = toJsonPose(*scan.pose);
    if (scan.verdict)
        json["verdict"] = toJson(*scan.verdict);
    if (scan.recipe)
        json["recipe"] = jsonOf(*scan.recipe, regions);
    if (!scan.measures.empty())
        json["measures"] = toJson(scan.measures);
    add(scan.reference, json);
    return json;
}

/// Returns the first path of a scan or a model that exists; the first path if none exists.
fs::path placeOf(const Json& file, const fs::path& folder) {
    std::vector<fs::path> places;
    if (file.contains("path"))
        places.push_back((folder / fromJsonName(file.at("path"), kWhat)).lexically_normal());
    if (file.contains("full_path"))
        places.emplace_back(fromJsonName(file.at("full_path"), kWhat));
    if (places.empty())
        refuseProject("a scan or a model has no path");
    if (std::ranges::any_of(places, &fs::path::empty))
        refuseProject("the path of a scan or a model is empty");
    places.push_back(folder / places.front().filename());
    for (const fs::path& place : places) {
        std::error_code unknown;
        if (fs::exists(place, unknown))
            return place;
    }
    return places.front();
}

ProjectScan scanOf(const Json& value, const fs::path& folder, const RegionTable& regions) {
    ProjectScan scan;
    if (value.contains("sample"))
        scan.sample = checked("a generated scan", sampleFromJson, value.at("sample"));
    else
        scan.path = placeOf(value, folder);
    scan.isVisible = value.value("visible", true);
    if (value.contains("pose"))
        scan.pose = checked("a pose", poseFromJson, value.at("pose"));
    if (value.contains("verdict"))
        scan.verdict = checked("a verdict", verdictFromJson, value.at("verdict"));
    if (value.contains("recipe"))
        scan.recipe = recipeOf(value.at("recipe"), regions);
    scan.measures = measuresIn(value);
    scan.reference = referenceIn(value);
    return scan;
}

void checkVersion(const Json& json) {
    if (!json.is_object() || !json.contains(kProject))
        throw EngineError(fmt::format("This file is not a project: the key {} is missing.", kProject),
                          "Open a file that was written by File > Save Project.");
    if (!json.at(kProject).is_number_integer())
        refuseProject("its version is not a whole number");
    if (json.at(kProject) != kVersion)
        throw EngineError(fmt::format("This project has version {}, but this program reads version {}.",
                                      json.at(kProject).get<std::int64_t>(), kVersion),
                          "Open it with the newer version of Scanloupe that wrote it.");
}

Project::Step stepOf(const Json& value, std::size_t scans, const RegionTable& regions) {
    Project::Step step;
    step.recipe = recipeOf(value.at("recipe"), regions);
    step.measures = measuresIn(value);
    if (value.contains("visible"))
        step.visible = value.at("visible").get<std::vector<bool>>();
    if (step.visible.size() != scans)
        step.visible.clear();
    step.isAligned = value.value("aligned", false);
    step.words = shortenedMessage(value.value("words", std::string())); // shortened, because a menu shows the
                                                                        // text
    step.reference = referenceIn(value);
    return step;
}

Json jsonOf(const Project::Step& step, RegionTable& regions) {
    Json json{{"words", step.words}, {"recipe", jsonOf(step.recipe, regions)}};
    if (!step.measures.empty())
        json["measures"] = toJson(step.measures);
    if (!step.visible.empty())
        json["visible"] = step.visible;
    if (step.isAligned)
        json["aligned"] = true;
    add(step.reference, json);
    return json;
}

void readSteps(const Json& json, const RegionTable& regions, Project& project) {
    if (!json.contains("history"))
        return;
    const Json& history = json.at("history");
    if (history.at("steps").size() > kMaxSteps)
        refuseProject("its history has more than 10000 steps");
    for (const Json& step : history.at("steps"))
        readPart(fmt::format("step {} of its history", project.steps.size() + 1),
                 [&] { project.steps.push_back(stepOf(step, project.scans.size(), regions)); });
    const double current = history.value("current", 0.0);
    if (!(current >= 0 && current < double(project.steps.size())) || current != std::floor(current))
        refuseProject("the number of its current step is not in its history");
    project.step = std::size_t(current);
}

/// Replaces the absolute paths of models in recipes by their current paths, in case the project was moved.
void findModels(const Json& json, const fs::path& folder, Project& project) {
    std::map<std::string, Json> listed; // older projects have no list of models: search next to the project's
                                        // file
    if (json.contains("models"))
        for (const Json& model : json.at("models"))
            listed[fromJsonName(model.at("full_path"), kWhat)] = model;
    std::map<std::string, std::string> places;
    std::set<std::string> used;
    for (const std::string& model : modelsOf(project)) {
        const auto found = listed.find(*used.insert(fullPath(model)).first);
        std::string& place = places[model];
        place =
            placeOf(found == listed.end() ? Json{{"full_path", toJsonName(model)}} : found->second, folder)
                .string();
    }
    for (const auto& [model, file] : listed)
        if (!used.contains(model))
            project.otherModels.push_back(placeOf(file, folder));
    moveModels(project, [&](const std::string& model) { return places.at(model); });
}

} // namespace

std::string toJson(const Project& project, const fs::path& folder) {
    Json json{{kProject, kVersion},
              {"schema", fmt::format("scanloupe/project/{}", kVersion)},
              {"kind", kKinds[std::size_t(project.kind)]}};
    json["shown"] = project.shown == Project::kTogether ? Json("together") : Json(project.shown);
    if (project.isAligned)
        json["aligned"] = true;
    requireAtMost(project.scans.size(), kMaxScans, "scans");
    requireAtMost(project.steps.size(), kMaxSteps, "steps in its history");
    RegionTable regions;
    Json scans = Json::array();
    for (const ProjectScan& scan : project.scans)
        scans.push_back(jsonOf(scan, folder, regions));
    json["scans"] = std::move(scans);
    for (const std::string& model : modelsOf(project))
        json["models"].push_back(pathsOf(model, folder));
    for (const fs::path& model : project.otherModels)
        json["models"].push_back(pathsOf(model, folder));
    json["recipe"] = jsonOf(project.recipe, regions);
    if (!project.measures.empty())
        json["measures"] = toJson(project.measures);
    add(project.reference, json);
    if (project.together)
        json["together"] = jsonOf(*project.together, regions);
    if (!project.steps.empty()) {
        Json steps = Json::array();
        for (const Project::Step& step : project.steps)
            steps.push_back(jsonOf(step, regions));
        json["history"] = {{"current", project.step}, {"steps", std::move(steps)}};
    }
    if (!regions.regions.empty())
        json["regions"] = toJson(regions);
    if (!project.window.empty())
        json["window"] = Json::parse(project.window);
    return readableJson(json);
}

Project projectFromJson(const std::string& text, const fs::path& folder) {
    const Json json = parseBoundedJson(text, kWhat);
    try {
        checkVersion(json);
        Project project;
        const auto kind = std::ranges::find(kKinds, json.at("kind").get<std::string>());
        if (kind == kKinds.end())
            refuseProject(fmt::format("'{}' is not a kind of project", json.at("kind").get<std::string>()));
        project.kind = ProjectKind(kind - kKinds.begin());
        if (json.at("scans").empty() || json.at("scans").size() > kMaxScans)
            refuseProject("it has no scans, or more than 100000");
        RegionTable regions;
        if (json.contains("regions"))
            regions = regionTableFromJson(json.at("regions"));
        for (const Json& scan : json.at("scans"))
            readPart(fmt::format("scan {}", project.scans.size() + 1),
                     [&] { project.scans.push_back(scanOf(scan, folder, regions)); });
        if (project.kind != ProjectKind::scan &&
            std::ranges::any_of(project.scans, [](const ProjectScan& s) { return s.sample.has_value(); }))
            refuseProject("it has a generated scan together with other scans");
        const Json& shown = json.at("shown");
        const double number = shown == "together" ? Project::kTogether : shown.get<double>();
        if (!(number >= Project::kTogether && number < double(project.scans.size())) ||
            number != std::floor(number))
            refuseProject(
                fmt::format("the number of the shown scan, {}, is not in its list of scans", shown.dump()));
        project.shown = int(number);
        project.isAligned = json.value("aligned", false);
        readPart("its recipe", [&] { project.recipe = recipeOf(json.at("recipe"), regions); });
        project.measures = measuresIn(json);
        project.reference = referenceIn(json);
        if (json.contains("together"))
            readPart("the state of the scans that are shown together",
                     [&] { project.together = stepOf(json.at("together"), project.scans.size(), regions); });
        readSteps(json, regions, project);
        findModels(json, folder, project);
        if (json.contains("window"))
            project.window = json.at("window").dump();
        return project;
    } catch (const nlohmann::json::exception& error) {
        refuseProject(jsonProblem(error));
    } catch (const fs::filesystem_error& error) { // for example if the working directory was removed
        refuseProject(error.what());
    }
}

} // namespace scanloupe
