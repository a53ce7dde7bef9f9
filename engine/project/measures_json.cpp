// Converts measures from and to JSON.
#include "engine/project/measures_json.h"

#include "engine/inspect/measure/measure_kind.h"
#include "engine/io/common/text/json_name.h"
#include "engine/project/project_problem.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace scanloupe {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t kMaxMeasures = 10'000; // limits the time to open a file

std::uint32_t colourOf(const std::string& text) {
    std::uint32_t colour = 0;
    const bool isColour = text.size() == 7 && text[0] == '#';
    const auto [end, error] = std::from_chars(text.data() + isColour, text.data() + text.size(), colour, 16);
    if (!isColour || error != std::errc() || end != text.data() + text.size())
        refuseProject(fmt::format("'{}' is not a colour such as #ff8000", text));
    return colour;
}

Measure measureOf(const Json& value) {
    Measure measure;
    const auto key = value.at("kind").get<std::string>();
    const auto row = std::ranges::find(measureKinds(), key, &MeasureKindRow::key);
    if (row == measureKinds().end())
        refuseProject(fmt::format("'{}' is not a kind of measure", key));
    measure.kind = row->kind;
    if (value.contains("name"))
        measure.name = fromJsonName(value.at("name"), "The project");
    measure.colour = colourOf(value.at("colour").get<std::string>());
    measure.visible = value.value("visible", true);
    for (const Json& one : value.at("points")) {
        const Json& at = one.at("position");
        MeasurePoint point{{at.at(0), at.at(1), at.at(2)}};
        for (const MeasureSnap snap : {MeasureSnap::surface, MeasureSnap::sectionLine})
            if (one.value("snap", std::string()) == snapKeyOf(snap))
                point.snap = snap;
        measure.points.push_back(point);
        if (!isFinite(measure.points.back().position))
            refuseProject("a coordinate of a measured point is not finite");
    }
    const std::size_t count = measure.points.size();
    if (count < row->minPoints || count > row->maxPoints)
        refuseProject(fmt::format("the measure '{}' has {} points, which its kind does not allow",
                                  measure.name, count));
    return measure;
}

} // namespace

Json toJson(const MeasureList& measures) {
    Json all = Json::array();
    requireAtMost(measures.size(), kMaxMeasures, "measures");
    for (const Measure& measure : measures) {
        requireAtMost(measure.points.size(), rowOf(measure.kind).maxPoints, "points in a measure");
        Json points = Json::array();
        for (const MeasurePoint& point : measure.points) {
            Json one{{"position", {point.position.x, point.position.y, point.position.z}}};
            if (point.snap != MeasureSnap::scanPoint)
                one["snap"] = snapKeyOf(point.snap);
            points.push_back(std::move(one));
        }
        Json json{{"kind", rowOf(measure.kind).key},
                  {"name", measure.name},
                  {"colour", fmt::format("#{:06x}", measure.colour & 0xffffff)},
                  {"points", std::move(points)}};
        if (!measure.visible)
            json["visible"] = false;
        all.push_back(std::move(json));
    }
    return all;
}

MeasureList measuresIn(const Json& json) {
    MeasureList measures;
    if (json.contains("measures")) {
        if (json.at("measures").size() > kMaxMeasures)
            refuseProject("it has more than 10000 measures");
        for (const Json& one : json.at("measures"))
            readPart(fmt::format("measure {}", measures.size() + 1),
                     [&] { measures.push_back(measureOf(one)); });
    }
    return measures;
}

} // namespace scanloupe
