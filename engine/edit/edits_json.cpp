// Converts edits from and to JSON, and validates edits in files.
#include "engine/edit/edits_json.h"

#include "engine/cloud/error.h"
#include "engine/edit/cuda_files.h"
#include "engine/edit/edits_json_values.h"
#include "engine/edit/regions_json.h"
#include "engine/edit/sculpt_brushes.h"
#include "engine/io/common/text/json_name.h"
#include "engine/io/common/text/pose_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace scanloupe {

using namespace edits_json;

namespace {

constexpr std::array kCudaFunctions{"colour", "value", "field"}; // names in the order of CudaFunction
constexpr std::size_t kMaxLayers = 100'000;
constexpr double kLargest = 1e12; // limit for levels and slopes of brushes, so that their products are finite

Json jsonOf(const SculptAction& action) {
    Json json{{"kind", "sculpt"},          {"tool", rowOf(action.tool).key}, {"strength", action.strength},
              {"falloff", action.falloff}, {"level", action.level},          {"slope", action.slope}};
    if (traitsOf(action.tool).usesPlane)
        json["plane"] = {{"at", arrayOf(action.planeAt)}, {"normal", arrayOf(action.planeNormal)}};
    if (rowOf(action.tool).needsSource)
        json["clone_from"] = arrayOf(action.cloneFrom);
    if (action.mirror)
        json["mirror"] = {{"at", arrayOf(action.mirror->at)}, {"normal", arrayOf(action.mirror->normal)}};
    return json;
}

/// Reads the value of a field at the surface, and its slope there.
void readSurface(const Json& json, double& level, double& slope) {
    level = json.at("level");
    slope = json.at("slope");
    require(std::abs(level) <= kLargest && std::abs(slope) <= kLargest && std::abs(slope) >= 1 / kLargest,
            "the level or slope of a brush is out of range");
}

SculptAction sculptOf(const Json& json) {
    SculptAction action;
    const auto key = json.at("tool").get<std::string>();
    const auto brush = std::ranges::find(sculptBrushes(), key, &SculptBrush::key);
    if (brush == sculptBrushes().end())
        refuse(fmt::format("'{}' is no tool that changes the surface", key));
    action.tool = brush->tool;
    action.strength = json.at("strength");
    action.falloff = json.at("falloff");
    require(action.strength >= 0 && action.strength <= 1 && action.falloff >= 0 && action.falloff <= 1,
            "the strength or fall-off of a brush is not between 0 and 1");
    readSurface(json, action.level, action.slope);
    if (traitsOf(action.tool).usesPlane) {
        action.planeAt = vectorOf(json.at("plane").at("at"));
        action.planeNormal = directionOf(json.at("plane").at("normal"));
    }
    if (rowOf(action.tool).needsSource)
        action.cloneFrom = vectorOf(json.at("clone_from"));
    if (const auto mirror = json.find("mirror"); mirror != json.end())
        action.mirror = MirrorPlane{vectorOf(mirror->at("at")), directionOf(mirror->at("normal"))};
    return action;
}

Json jsonOf(const CudaFileAction& action) {
    Json json{{"kind", "cuda_file"},
              {"file", toJsonName(action.file.file)},
              {"function", kCudaFunctions[std::size_t(action.file.function)]},
              {"source", toJsonName(action.file.source)},
              {"up", arrayOf(action.up)}};
    if (action.file.function == CudaFunction::value)
        json["attribute"] = toJsonName(action.attribute);
    if (action.file.function == CudaFunction::field) {
        json["level"] = action.level;
        json["slope"] = action.slope;
    }
    return json;
}

CudaFileAction cudaFileOf(const Json& json) {
    CudaFileAction action;
    action.file.file = fromJsonName(json.at("file"), kWhat);
    action.file.source = fromJsonName(json.at("source"), kWhat, kMaxCudaFileBytes);
    const auto key = json.at("function").get<std::string>();
    const auto function = std::ranges::find(kCudaFunctions, key);
    if (function == kCudaFunctions.end())
        refuse(fmt::format("'{}' is not a function of a CUDA file", key));
    action.file.function = CudaFunction(function - kCudaFunctions.begin());
    action.up = directionOf(json.at("up"));
    if (action.file.function == CudaFunction::value) {
        action.attribute = fromJsonName(json.at("attribute"), kWhat);
        require(!action.attribute.empty(), "the name of an attribute is empty");
    }
    if (action.file.function == CudaFunction::field)
        readSurface(json, action.level, action.slope);
    return action;
}

CompareAction compareOf(const Json& json) {
    CompareAction action{fromJsonName(json.at("reference"), kWhat), lengthOf(json, "scale"),
                         json.at("largest"), json.value("average", 0.0)};
    const auto key = json.value("local_model", std::string(kLocalModelKeys[std::size_t(action.model)]));
    const auto model = std::ranges::find(kLocalModelKeys, key);
    if (model == std::end(kLocalModelKeys))
        refuse(fmt::format("'{}' is not a local model", key));
    action.model = LocalModel(model - kLocalModelKeys);
    if (json.contains("neighbours"))
        action.neighbours = wholeOf(json.at("neighbours"));
    action.largestAngle = json.value("largest_angle", 0.0);
    require(action.neighbours >= fewestNeighbours(action.model) && action.neighbours <= kMaxNeighbours,
            "the number of neighbours of a comparison is out of range");
    require(action.largestAngle >= 0 && action.largestAngle <= 180,
            "the largest angle of a comparison is not between 0 and 180 degrees");
    require(!action.reference.empty(), "the file name of a reference is empty");
    for (const double length : {action.largest, action.average})
        require(std::isfinite(length) && length >= 0, "a length of a comparison is negative or not finite");
    return action;
}

Json jsonOf(const EditAction& action) {
    if (const auto* file = std::get_if<CudaFileAction>(&action))
        return jsonOf(*file);
    if (const auto* sculpt = std::get_if<SculptAction>(&action))
        return jsonOf(*sculpt);
    if (std::holds_alternative<RemoveAction>(action))
        return {{"kind", "remove"}};
    if (std::holds_alternative<KeepAction>(action))
        return {{"kind", "keep"}};
    if (const auto* set = std::get_if<SetClassAction>(&action))
        return {{"kind", "set_class"}, {"class", set->value}};
    if (const auto* colour = std::get_if<SetColourAction>(&action))
        return {{"kind", "set_colour"}, {"rgb", colour->rgb}};
    if (const auto* compute = std::get_if<ComputeAction>(&action))
        return {{"kind", "compute"},
                {"attribute", toJsonName(compute->attribute)},
                {"formula", toJsonName(compute->formula)},
                {"up", arrayOf(compute->up)}};
    if (const auto* compare = std::get_if<CompareAction>(&action))
        return {{"kind", "compare"},
                {"reference", toJsonName(compare->reference)},
                {"scale", compare->scale},
                {"largest", compare->largest},
                {"average", compare->average},
                {"local_model", kLocalModelKeys[std::size_t(compare->model)]},
                {"neighbours", compare->neighbours},
                {"largest_angle", compare->largestAngle}};
    return {{"kind", "move"}, {"motion", toJsonPose(std::get<MoveAction>(action).motion)}};
}

EditAction actionOf(const Json& json) {
    const auto kind = json.at("kind").get<std::string>();
    if (kind == "remove")
        return RemoveAction{};
    if (kind == "keep")
        return KeepAction{};
    if (kind == "sculpt")
        return sculptOf(json);
    if (kind == "cuda_file")
        return cudaFileOf(json);
    if (kind == "set_class")
        return SetClassAction{json.at("class").get<std::int64_t>()};
    if (kind == "set_colour") {
        SetColourAction action;
        for (std::size_t k = 0; k < action.rgb.size(); ++k) {
            const double value = json.at("rgb").at(k);
            require(value >= 0 && value <= 255 && value == std::floor(value),
                    "a component of a colour is not a whole number from 0 to 255");
            action.rgb[k] = std::uint8_t(value);
        }
        return action;
    }
    if (kind == "compute")
        return ComputeAction{fromJsonName(json.at("attribute"), kWhat),
                             fromJsonName(json.at("formula"), kWhat), directionOf(json.at("up"))};
    if (kind == "compare")
        return compareOf(json);
    if (kind != "move")
        refuse(fmt::format("'{}' is not a kind of edit", kind));
    std::string problem;
    const MoveAction move{poseFromJson(json.at("motion"), problem)};
    if (!problem.empty())
        refuse("the motion of a layer " + problem);
    return move;
}

} // namespace

Json toJson(const Edits& edits, RegionTable* table) {
    if (edits.layers.size() > kMaxLayers)
        throw EngineError(fmt::format("The edits have {} layers, but files may have at most {}.",
                                      edits.layers.size(), kMaxLayers),
                          "Remove layers, or export the points and continue with the exported file.");
    Json json = Json::object();
    Json layers = Json::array();
    for (const auto& layer : edits.layers) {
        Json one{{"name", toJsonName(layer->name)}, {"action", jsonOf(layer->action)}};
        if (layer->isHidden)
            one["hidden"] = true;
        one["selection"] = jsonOf(layer->selection, table);
        layers.push_back(std::move(one));
    }
    json["layers"] = std::move(layers);
    if (!edits.selection.empty())
        json["selection"] = jsonOf(edits.selection, table);
    for (const NamedSelection& named : edits.named)
        json["named"].push_back(
            {{"name", toJsonName(named.name)}, {"selection", jsonOf(named.selection, table)}});
    return json;
}

Edits editsFromJson(const Json& json, const RegionTable* table) {
    Edits edits;
    if (json.contains("layers")) {
        require(json.at("layers").size() <= kMaxLayers, "there are more than 100000 layers");
        for (const Json& one : json.at("layers")) {
            EditLayer layer;
            layer.name = fromJsonName(one.at("name"), kWhat);
            layer.isHidden = one.value("hidden", false);
            layer.selection = selectionOf(one.at("selection"), table);
            layer.action = actionOf(one.at("action"));
            require(!std::holds_alternative<SculptAction>(layer.action) ||
                        std::ranges::all_of(layer.selection.steps,
                                            [](const SelectionStep& step) {
                                                return step.operation == SetOperation::add &&
                                                       std::holds_alternative<StrokeRegion>(*step.region);
                                            }),
                    "a brush layer has selection steps that are not strokes");
            edits.layers.push_back(std::make_shared<const EditLayer>(std::move(layer)));
        }
    }
    if (json.contains("selection"))
        edits.selection = selectionOf(json.at("selection"), table);
    if (json.contains("named"))
        for (const Json& one : json.at("named"))
            edits.named.push_back(
                {fromJsonName(one.at("name"), kWhat), selectionOf(one.at("selection"), table)});
    return edits;
}

} // namespace scanloupe
