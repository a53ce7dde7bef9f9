// Queries PROJ for the names, codes, axes and units of a system.
#include "engine/cloud/reference/proj_facts.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace scanloupe {

namespace {

std::string lower(std::string_view text) {
    std::string all(text);
    std::ranges::transform(all, all.begin(), [](unsigned char sign) { return char(std::tolower(sign)); });
    return all;
}

/// Returns e.g. "EPSG:25832", or "EPSG:25832+7837" for a compound system without a code of its own; empty if
/// unknown.
std::string codeOf(const ProjSession& proj, const PJ* system) {
    const char *authority = proj_get_id_auth_name(system, 0), *code = proj_get_id_code(system, 0);
    if (authority && code)
        return fmt::format("{}:{}", authority, code);
    const PJ_TYPE type = proj_get_type(system);
    if (type == PJ_TYPE_BOUND_CRS) {
        const ProjObject source(proj_get_source_crs(proj.context(), system));
        return source ? codeOf(proj, source.get()) : std::string();
    }
    if (type != PJ_TYPE_COMPOUND_CRS)
        return {};
    std::string codes[2];
    for (int part = 0; part < 2; ++part)
        if (const ProjObject one(proj_crs_get_sub_crs(proj.context(), system, part)); one)
            codes[part] = codeOf(proj, one.get());
    const std::size_t colon = codes[1].find(':');
    if (codes[0].empty() || colon == std::string::npos)
        return {};
    const bool isOneAuthority = codes[0].starts_with(codes[1].substr(0, colon + 1));
    return fmt::format("{}+{}", codes[0], isOneAuthority ? codes[1].substr(colon + 1) : codes[1]);
}

/// Adds the axes of a system that is not compound.
void addAxes(const ProjSession& proj, const PJ* system, SystemFacts& facts) {
    const ProjObject axes(proj_crs_get_coordinate_system(proj.context(), system));
    if (!axes)
        return;
    const PJ_COORDINATE_SYSTEM_TYPE type = proj_cs_get_type(proj.context(), axes.get());
    for (int i = 0; i < proj_cs_get_axis_count(proj.context(), axes.get()); ++i) {
        const char *name = nullptr, *abbreviation = nullptr, *direction = nullptr, *unit = nullptr;
        double size = 0; // unit of the axis in metres or radians
        if (!proj_cs_get_axis_info(proj.context(), axes.get(), i, &name, &abbreviation, &direction, &size,
                                   &unit, nullptr, nullptr))
            continue;
        const auto text = [](const char* it) { return std::string(it ? it : ""); };
        facts.axes.push_back({text(name), text(abbreviation), text(direction), text(unit)});
        const bool isAngle = type == PJ_CS_TYPE_ELLIPSOIDAL && i < 2;
        if (type == PJ_CS_TYPE_VERTICAL || facts.axes.back().direction == "up")
            facts.vertical = unitOf(text(unit), size);
        else if (!facts.horizontal && (isAngle || type != PJ_CS_TYPE_UNKNOWN))
            facts.horizontal = isAngle ? NamedUnit{LengthUnit::degree, "degree"} : unitOf(text(unit), size);
    }
}

} // namespace

NamedUnit unitOf(std::string name, double metres) {
    const std::string word = lower(name);
    const auto has = [&word](std::string_view part) { return word.find(part) != std::string::npos; };
    const bool isFoot = has("foot") || has("feet") || word.starts_with("ft");
    if (isFoot && metres == 1)
        return {has("us") || has("u.s") || has("survey") ? LengthUnit::surveyFoot : LengthUnit::foot,
                std::move(name)};
    return {lengthUnitOfMetres(metres).value_or(LengthUnit::unknown), std::move(name)};
}

std::string nameWithCode(const ProjSession& proj, const PJ* system) {
    const char* own = proj_get_name(system);
    const std::string name = own ? own : "", code = codeOf(proj, system);
    if (code.empty() || name.empty())
        return name.empty() ? code : name;
    return fmt::format("{} ({})", name, code);
}

void addFacts(const ProjSession& proj, const PJ* system, SystemFacts& facts) {
    const PJ_TYPE type = proj_get_type(system);
    if (type == PJ_TYPE_COMPOUND_CRS) {
        for (int part = 0; part < 2; ++part)
            if (const ProjObject one(proj_crs_get_sub_crs(proj.context(), system, part)); one)
                addFacts(proj, one.get(), facts);
    } else if (type == PJ_TYPE_BOUND_CRS) {
        if (const ProjObject source(proj_get_source_crs(proj.context(), system)); source)
            addFacts(proj, source.get(), facts);
    } else {
        addAxes(proj, system, facts);
    }
}

} // namespace scanloupe
