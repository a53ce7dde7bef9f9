// Converts edits from and to JSON, and checks what files say.
#include "engine/edit/edits_json.h"

#include "engine/cloud/error.h"
#include "engine/edit/cuda_files.h"
#include "engine/io/common/text/camera_json.h"
#include "engine/io/common/text/json_name.h"
#include "engine/io/common/text/pose_json.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace scanloupe {

namespace {

using Json = nlohmann::ordered_json;
constexpr const char* kWhat = "The edits";
constexpr std::array kOperations{"replace", "add", "intersect", "subtract"}; // as SetOperation
constexpr std::array kSculptTools{"fill",  "carve", "smooth", "flatten",
                                  "raise", "lower", "clone"};    // as SculptTool
constexpr std::array kCudaFunctions{"colour", "value", "field"}; // as CudaFunction
constexpr std::size_t kMostLayers = 100'000, kMostCorners = 1'000'000;
constexpr double kLargest = 1e12; // levels and slopes of brushes: their products are finite
constexpr int kMostPixels = 16384, kMostSteps = 1000;
constexpr std::size_t kNoRegion = std::numeric_limits<std::size_t>::max();

[[noreturn]] void refuse(const std::string& what) {
    throw EngineError(fmt::format("The edits can't be read: {}.", what),
                      "Correct it there, or make the edits anew and save them.");
}
void require(bool isRight, const char* what) {
    if (!isRight)
        refuse(what);
}

Json jsonOf(Vec3d v) {
    return Json::array({v.x, v.y, v.z});
}
Vec3d vectorOf(const Json& value) {
    const Vec3d v{value.at(0), value.at(1), value.at(2)};
    require(isFinite(v), "a place is not finite");
    return v;
}
double lengthOf(const Json& value, const char* key) {
    const double length = value.at(key);
    require(std::isfinite(length) && length > 0, "a length is not above 0");
    return length;
}
/// Not by way of an integer, in which other numbers would be one that may be used.
int wholeOf(const Json& value) {
    const double number = value;
    require(std::abs(number) <= std::numeric_limits<int>::max() && number == std::floor(number),
            "a number is not a whole one, or too large");
    return int(number);
}
Vec3d directionOf(const Json& value) {
    const Vec3d direction = vectorOf(value);
    require(squaredNorm(direction) > 0 && std::isfinite(squaredNorm(direction)),
            "a direction has no length, or one that is too large");
    return direction;
}

Json jsonOf(const OutlineRegion& region) {
    Json json{{"kind", "outline"},
              {"camera", toJsonCamera(region.camera)},
              {"width", region.width},
              {"height", region.height},
              {"corners", region.corners}};
    if (region.visibleOnly) {
        json["visible_only"] = true;
        json["spacing"] = region.spacing;
    }
    return json;
}
Json jsonOf(const StrokeRegion& region) {
    Json path = Json::array();
    for (const Vec3d p : region.path)
        path.push_back(jsonOf(p));
    Json json{{"kind", "stroke"}, {"radius", region.radius}, {"path", std::move(path)}};
    if (region.continues)
        json["continues"] = true;
    if (!region.pressures.empty())
        json["pressures"] = region.pressures;
    return json;
}
Json jsonOf(const HalfSpaceRegion& region) {
    return {{"kind", "half_space"}, {"at", jsonOf(region.at)}, {"normal", jsonOf(region.normal)}};
}
Json jsonOf(const SlabRegion& region) {
    return {{"kind", "slab"},
            {"at", jsonOf(region.at)},
            {"direction", jsonOf(region.direction)},
            {"thickness", region.thickness}};
}
Json jsonOf(const AttributeRegion& region) {
    return {{"kind", "attribute"},
            {"attribute", toJsonName(region.attribute)},
            {"low", region.low},
            {"high", region.high}};
}
Json jsonOf(const ClassRegion& region) {
    return {{"kind", "class"}, {"attribute", toJsonName(region.attribute)}, {"values", region.values}};
}
Json jsonOf(const ColourRegion& region) {
    return {{"kind", "colour"}, {"rgb", region.rgb}, {"tolerance", region.tolerance}};
}
Json jsonOf(const FormulaRegion& region) {
    return {{"kind", "formula"}, {"formula", toJsonName(region.formula)}, {"up", jsonOf(region.up)}};
}
Json jsonOf(const ConnectedRegion& region) {
    return {{"kind", "connected"}, {"seed", jsonOf(region.seed)}, {"cell", region.cell}};
}
Json jsonOf(const GrowRegion& region) {
    return {{"kind", "grow"}, {"cell", region.cell}, {"steps", region.steps}};
}
Json jsonOf(const InvertRegion&) {
    return {{"kind", "invert"}};
}
Json jsonOf(const SelectionRegion& region) {
    return std::visit([](const auto& one) { return jsonOf(one); }, region);
}

OutlineRegion outlineOf(const Json& json) {
    OutlineRegion region;
    region.camera = cameraFromJson(json.at("camera"));
    region.width = wholeOf(json.at("width"));
    region.height = wholeOf(json.at("height"));
    require(std::min(region.width, region.height) > 0 && std::max(region.width, region.height) <= kMostPixels,
            "a view has not between 1 and 16384 pixels");
    require(json.at("corners").size() <= kMostCorners, "an outline has too many corners");
    region.corners = json.at("corners").get<std::vector<std::array<double, 2>>>();
    for (const auto& [x, y] : region.corners)
        require(std::isfinite(x) && std::isfinite(y), "a corner is not finite");
    region.visibleOnly = json.value("visible_only", false);
    if (region.visibleOnly)
        region.spacing = lengthOf(json, "spacing");
    return region;
}

StrokeRegion strokeOf(const Json& json) {
    StrokeRegion region;
    region.radius = lengthOf(json, "radius");
    require(json.at("path").size() <= kMostCorners, "a stroke has too many places");
    for (const Json& place : json.at("path"))
        region.path.push_back(vectorOf(place));
    region.continues = json.value("continues", false);
    if (json.contains("pressures")) {
        region.pressures = json.at("pressures").get<std::vector<double>>();
        require(region.pressures.size() == region.path.size() &&
                    std::ranges::all_of(region.pressures, [](double p) { return p >= 0 && p <= 1; }),
                "a stroke has not a pressure from 0 to 1 for each of its places");
    }
    return region;
}

SelectionRegion regionOf(const Json& json) {
    const auto kind = json.at("kind").get<std::string>();
    if (kind == "outline")
        return outlineOf(json);
    if (kind == "stroke")
        return strokeOf(json);
    if (kind == "half_space")
        return HalfSpaceRegion{vectorOf(json.at("at")), directionOf(json.at("normal"))};
    if (kind == "slab")
        return SlabRegion{vectorOf(json.at("at")), directionOf(json.at("direction")),
                          lengthOf(json, "thickness")};
    if (kind == "attribute")
        return AttributeRegion{fromJsonName(json.at("attribute"), kWhat), json.at("low"), json.at("high")};
    if (kind == "class")
        return ClassRegion{fromJsonName(json.at("attribute"), kWhat),
                           json.at("values").get<std::vector<std::int64_t>>()};
    if (kind == "colour")
        return ColourRegion{json.at("rgb").get<std::array<double, 3>>(), json.at("tolerance")};
    if (kind == "formula")
        return FormulaRegion{fromJsonName(json.at("formula"), kWhat), directionOf(json.at("up"))};
    if (kind == "connected")
        return ConnectedRegion{vectorOf(json.at("seed")), lengthOf(json, "cell")};
    if (kind == "grow") {
        const GrowRegion region{lengthOf(json, "cell"), wholeOf(json.at("steps"))};
        require(std::abs(region.steps) <= kMostSteps, "a selection grows by too many steps");
        return region;
    }
    if (kind == "invert")
        return InvertRegion{};
    refuse(fmt::format("'{}' is no kind of region", kind));
}

Json jsonOf(const PointSelection& selection, RegionTable* table) {
    Json steps = Json::array();
    for (const SelectionStep& step : selection.steps) {
        Json json{{"operation", kOperations[std::size_t(step.operation)]}};
        if (table) {
            const auto [known, isNew] = table->numbers.try_emplace(step.region.get(), table->regions.size());
            if (isNew)
                table->regions.push_back(step.region);
            json["region"] = known->second;
        } else {
            json["region"] = jsonOf(*step.region);
        }
        steps.push_back(std::move(json));
    }
    return steps;
}

PointSelection selectionOf(const Json& json, const RegionTable* table) {
    PointSelection selection;
    for (const Json& one : json) {
        const auto key = one.at("operation").get<std::string>();
        const auto operation = std::ranges::find(kOperations, key);
        if (operation == kOperations.end())
            refuse(fmt::format("'{}' is no way to combine selections", key));
        SelectionStep step{SetOperation(operation - kOperations.begin()), nullptr};
        const Json& region = one.at("region");
        if (region.is_number()) {
            const auto number = region.is_number_unsigned() ? region.get<std::size_t>() : kNoRegion;
            require(table && number < table->regions.size(), "there is no region of a number that it names");
            step.region = table->regions[number];
        } else {
            step.region = std::make_shared<const SelectionRegion>(regionOf(region));
        }
        selection.steps.push_back(std::move(step));
    }
    return selection;
}

Json jsonOf(const SculptAction& action) {
    Json json{{"kind", "sculpt"},
              {"tool", kSculptTools[std::size_t(action.tool)]},
              {"strength", action.strength},
              {"falloff", action.falloff},
              {"level", action.level},
              {"slope", action.slope}};
    if (action.tool == SculptTool::flatten)
        json["plane"] = {{"at", jsonOf(action.planeAt)}, {"normal", jsonOf(action.planeNormal)}};
    if (action.tool == SculptTool::clone)
        json["clone_from"] = jsonOf(action.cloneFrom);
    if (action.mirror)
        json["mirror"] = {{"at", jsonOf(action.mirror->at)}, {"normal", jsonOf(action.mirror->normal)}};
    return json;
}

/// The value of a field at the surface, and its slope there.
void readSurface(const Json& json, double& level, double& slope) {
    level = json.at("level");
    slope = json.at("slope");
    require(std::abs(level) <= kLargest && std::abs(slope) <= kLargest && std::abs(slope) >= 1 / kLargest,
            "the level or slope of a surface can't be used");
}

SculptAction sculptOf(const Json& json) {
    SculptAction action;
    const auto key = json.at("tool").get<std::string>();
    const auto tool = std::ranges::find(kSculptTools, key);
    if (tool == kSculptTools.end())
        refuse(fmt::format("'{}' is no tool that changes the surface", key));
    action.tool = SculptTool(tool - kSculptTools.begin());
    action.strength = json.at("strength");
    action.falloff = json.at("falloff");
    require(action.strength >= 0 && action.strength <= 1 && action.falloff >= 0 && action.falloff <= 1,
            "a strength or fall-off is not between 0 and 1");
    readSurface(json, action.level, action.slope);
    if (action.tool == SculptTool::flatten) {
        action.planeAt = vectorOf(json.at("plane").at("at"));
        action.planeNormal = directionOf(json.at("plane").at("normal"));
    }
    if (action.tool == SculptTool::clone)
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
              {"up", jsonOf(action.up)}};
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
        refuse(fmt::format("'{}' is no function of a CUDA file", key));
    action.file.function = CudaFunction(function - kCudaFunctions.begin());
    action.up = directionOf(json.at("up"));
    if (action.file.function == CudaFunction::value) {
        action.attribute = fromJsonName(json.at("attribute"), kWhat);
        require(!action.attribute.empty(), "an attribute has no name");
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
        refuse(fmt::format("'{}' is no local model", key));
    action.model = LocalModel(model - kLocalModelKeys);
    if (json.contains("neighbours"))
        action.neighbours = wholeOf(json.at("neighbours"));
    action.largestAngle = json.value("largest_angle", 0.0);
    require(action.neighbours >= fewestNeighbours(action.model) && action.neighbours <= kMostNeighbours,
            "a local model goes through too few points, or too many");
    require(action.largestAngle >= 0 && action.largestAngle <= 180,
            "an angle is not between 0 and 180 degrees");
    require(!action.reference.empty(), "a reference has no file");
    for (const double length : {action.largest, action.average})
        require(std::isfinite(length) && length >= 0, "a length is below 0");
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
                {"up", jsonOf(compute->up)}};
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
                    "a colour is not of whole numbers from 0 to 255");
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
        refuse(fmt::format("'{}' is no kind of edit", kind));
    std::string problem;
    const MoveAction move{poseFromJson(json.at("motion"), problem)};
    if (!problem.empty())
        refuse("a motion " + problem);
    return move;
}

} // namespace

Json toJson(const Edits& edits, RegionTable* table) {
    if (edits.layers.size() > kMostLayers)
        throw EngineError(fmt::format("There are {} layers of edits, and at most {} can be read again.",
                                      edits.layers.size(), kMostLayers),
                          "Remove some, or save the points and go on with these.");
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
        require(json.at("layers").size() <= kMostLayers, "there are too many layers");
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
                    "a layer that changes the surface has other steps than strokes");
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

Json toJson(const RegionTable& table) {
    Json all = Json::array();
    for (const auto& region : table.regions)
        all.push_back(jsonOf(*region));
    return all;
}

RegionTable regionTableFromJson(const Json& json) {
    RegionTable table;
    for (const Json& one : json)
        table.regions.push_back(std::make_shared<const SelectionRegion>(regionOf(one)));
    return table;
}

} // namespace scanloupe
