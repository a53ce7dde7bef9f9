// Converts the values of parameters from and to text, and checks their limits.
#include "engine/cloud/error.h"
#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace scanloupe {

namespace {

double parseNumber(const Parameter& p, std::string_view word) {
    while (!word.empty() && word.front() == ' ')
        word.remove_prefix(1);
    while (!word.empty() && word.back() == ' ')
        word.remove_suffix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size())
        throw EngineError(fmt::format("{1} must be a number (got '{0}').", word, p.option()),
                          fmt::format("Give {} as {}.", p.option(),
                                      p.components.size() == 1 ? "a number" : "numbers separated by commas"));
    return value;
}

void checkComponents(const Parameter& p, const std::vector<double>& values) {
    const std::string unit = p.isLength() ? std::string() : p.unit; // lengths are in the scan's unit, so no
                                                                    // unit is printed
    for (const double value : values) {
        const bool whole = p.kind == ParameterKind::real || value == std::floor(value);
        if (value >= p.min && value <= p.max && whole)
            continue;
        const char* const kind = p.kind == ParameterKind::real ? "number" : "whole number";
        const std::string in = unit.empty() ? "" : " " + unit;
        throw EngineError(fmt::format("{} must be a {} from {} to {}{} (got {}).", p.option(), kind, p.min,
                                      p.max, in, value),
                          fmt::format("Use a {} in this range.", kind));
    }
}

std::vector<double> parseValues(const Parameter& p, const std::string& text) {
    if (p.kind == ParameterKind::choice) {
        const auto found = std::find(p.choices.begin(), p.choices.end(), text);
        if (found == p.choices.end())
            throw EngineError(fmt::format("{1} does not accept the value '{0}'.", text, p.option()),
                              fmt::format("Use one of: {}.", fmt::join(p.choices, ", ")));
        return {double(found - p.choices.begin())};
    }
    if (p.kind == ParameterKind::flag) {
        if (text == "on" || text == "true" || text == "1")
            return {1};
        if (text == "off" || text == "false" || text == "0")
            return {0};
        throw EngineError(fmt::format("{1} must be on or off (got '{0}').", text, p.option()),
                          "Use on or off.");
    }
    std::vector<double> values;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        values.push_back(parseNumber(p, std::string_view(text).substr(begin, end - begin)));
        begin = end + 1;
    }
    if (values.size() == 1 && p.key == "voxel_size")
        values.resize(3, values[0]);
    if (values.size() != p.components.size())
        throw EngineError(fmt::format("{} needs {} numbers, but '{}' has {}.", p.option(),
                                      p.components.size(), text, values.size()),
                          fmt::format("Give {}.", fmt::join(p.components, ",")));
    return values;
}

/// Checks a box. @throws EngineError if it has no extent along an axis
void checkBox(const std::optional<Vec3d>& min, const std::optional<Vec3d>& max, const char* option) {
    for (int axis = 0; min && max && axis < 3; ++axis) {
        if ((*min)[axis] < (*max)[axis])
            continue;
        throw EngineError(
            fmt::format("The range is empty along {}: its minimum {} is not below its maximum {}.",
                        "xyz"[axis], (*min)[axis], (*max)[axis]),
            fmt::format("Make each minimum smaller than its maximum (--{}=xmin,ymin,zmin,xmax,ymax,zmax).",
                        option));
    }
}

} // namespace

void setFromText(Recipe& recipe, const Parameter& p, const std::string& text) {
    if (p.kind == ParameterKind::text) {
        p.setText(recipe, text);
    } else if (text == "auto" && p.fromData) {
        p.set(recipe, std::nullopt);
    } else {
        const auto values = parseValues(p, text);
        checkComponents(p, values);
        p.set(recipe, values);
    }
}

std::string toText(const Recipe& recipe, const Parameter& p) {
    if (p.kind == ParameterKind::text)
        return p.getText(recipe);
    const auto values = p.get(recipe);
    if (!values)
        return "auto";
    if (p.kind == ParameterKind::choice)
        return p.choices.at(static_cast<std::size_t>((*values)[0]));
    if (p.kind == ParameterKind::flag)
        return (*values)[0] != 0 ? "on" : "off";
    const bool same = p.key == "voxel_size" && (*values)[0] == (*values)[1] && (*values)[1] == (*values)[2];
    return same ? fmt::format("{}", (*values)[0]) : fmt::format("{}", fmt::join(*values, ","));
}

void checkLimits(const Recipe& recipe) {
    for (const Parameter& p : parameters()) {
        if (p.kind == ParameterKind::text)
            continue;
        if (const auto values = p.get(recipe))
            checkComponents(p, *values);
    }
    if (recipe.colourLow && recipe.colourHigh && !(*recipe.colourLow < *recipe.colourHigh))
        throw EngineError(fmt::format("The lower colour limit {} is not below the upper colour limit {}.",
                                      *recipe.colourLow, *recipe.colourHigh),
                          "Make the lowest value smaller than the highest (--colour-limits=lowest,highest).");
    checkBox(recipe.rangeMin, recipe.rangeMax, "range");
    checkBox(recipe.outerMin, recipe.outerMax, "outer-range");
    if (!recipe.section)
        return;
    if (!(norm(recipe.section->direction) > 0))
        throw EngineError(
            "The direction of the section must not be 0,0,0.",
            "Give the normal of its plane, such as 1,0,0 (--section=x,y,z,dx,dy,dz,thickness).");
    if (!(recipe.section->thickness > 0))
        throw EngineError(
            fmt::format("The thickness of the section must be above 0 (got {}).", recipe.section->thickness),
            "Use a thickness of several voxels (--section=x,y,z,dx,dy,dz,thickness).");
}

} // namespace scanloupe
