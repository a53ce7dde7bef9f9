// Converts regions and selections of points from and to JSON, and validates them.
#include "engine/edit/regions_json.h"

#include "engine/edit/edits_json_values.h"
#include "engine/io/common/text/camera_json.h"
#include "engine/io/common/text/json_name.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace scanloupe {

namespace edits_json {

namespace {

constexpr std::array kOperations{"replace", "add", "intersect", "subtract"}; // names in the order of
                                                                             // SetOperation
constexpr std::size_t kMaxOutlineCorners = 1'000'000;
constexpr int kMaxPixels = 16384, kMaxSteps = 1000;
constexpr std::size_t kNoRegion = std::numeric_limits<std::size_t>::max();

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
        path.push_back(arrayOf(p));
    Json json{{"kind", "stroke"}, {"radius", region.radius}, {"path", std::move(path)}};
    if (region.continues)
        json["continues"] = true;
    if (!region.pressures.empty())
        json["pressures"] = region.pressures;
    return json;
}
Json jsonOf(const HalfSpaceRegion& region) {
    return {{"kind", "half_space"}, {"at", arrayOf(region.at)}, {"normal", arrayOf(region.normal)}};
}
Json jsonOf(const SlabRegion& region) {
    return {{"kind", "slab"},
            {"at", arrayOf(region.at)},
            {"direction", arrayOf(region.direction)},
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
    return {{"kind", "formula"}, {"formula", toJsonName(region.formula)}, {"up", arrayOf(region.up)}};
}
Json jsonOf(const ConnectedRegion& region) {
    return {{"kind", "connected"}, {"seed", arrayOf(region.seed)}, {"cell", region.cell}};
}
Json jsonOf(const GrowRegion& region) {
    return {{"kind", "grow"}, {"cell", region.cell}, {"steps", region.steps}};
}
Json jsonOf(const InvertRegion&) {
    return {{"kind", "invert"}};
}
Json jsonOfRegion(const SelectionRegion& region) {
    return std::visit([](const auto& one) { return jsonOf(one); }, region);
}

OutlineRegion outlineOf(const Json& json) {
    OutlineRegion region;
    region.camera = cameraFromJson(json.at("camera"));
    region.width = wholeOf(json.at("width"));
    region.height = wholeOf(json.at("height"));
    require(std::min(region.width, region.height) > 0 && std::max(region.width, region.height) <= kMaxPixels,
            "the width or height of a view is not between 1 and 16384 pixels");
    require(json.at("corners").size() <= kMaxOutlineCorners, "an outline has too many corners");
    region.corners = json.at("corners").get<std::vector<std::array<double, 2>>>();
    for (const auto& [x, y] : region.corners)
        require(std::isfinite(x) && std::isfinite(y), "a corner of an outline is not finite");
    region.visibleOnly = json.value("visible_only", false);
    if (region.visibleOnly)
        region.spacing = lengthOf(json, "spacing");
    return region;
}

StrokeRegion strokeOf(const Json& json) {
    StrokeRegion region;
    region.radius = lengthOf(json, "radius");
    require(json.at("path").size() <= kMaxOutlineCorners, "a stroke has too many points");
    for (const Json& place : json.at("path"))
        region.path.push_back(vectorOf(place));
    region.continues = json.value("continues", false);
    if (json.contains("pressures")) {
        region.pressures = json.at("pressures").get<std::vector<double>>();
        require(region.pressures.size() == region.path.size() &&
                    std::ranges::all_of(region.pressures, [](double p) { return p >= 0 && p <= 1; }),
                "a stroke does not have a pressure between 0 and 1 for each of its points");
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
        require(std::abs(region.steps) <= kMaxSteps,
                "the number of steps by which a selection grows is too large");
        return region;
    }
    if (kind == "invert")
        return InvertRegion{};
    refuse(fmt::format("'{}' is not a kind of region", kind));
}

} // namespace

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
            json["region"] = jsonOfRegion(*step.region);
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
            refuse(fmt::format("'{}' is not an operation that combines selections", key));
        SelectionStep step{SetOperation(operation - kOperations.begin()), nullptr};
        const Json& region = one.at("region");
        if (region.is_number()) {
            const auto number = region.is_number_unsigned() ? region.get<std::size_t>() : kNoRegion;
            require(table && number < table->regions.size(), "a step refers to a region that does not exist");
            step.region = table->regions[number];
        } else {
            step.region = std::make_shared<const SelectionRegion>(regionOf(region));
        }
        selection.steps.push_back(std::move(step));
    }
    return selection;
}

} // namespace edits_json

nlohmann::ordered_json toJson(const RegionTable& table) {
    auto all = nlohmann::ordered_json::array();
    for (const auto& region : table.regions)
        all.push_back(edits_json::jsonOfRegion(*region));
    return all;
}

RegionTable regionTableFromJson(const nlohmann::ordered_json& json) {
    RegionTable table;
    for (const nlohmann::ordered_json& one : json)
        table.regions.push_back(std::make_shared<const SelectionRegion>(edits_json::regionOf(one)));
    return table;
}

} // namespace scanloupe
