// Interprets the texts of coordinate systems with PROJ.
#include "engine/cloud/reference/geotiff_keys.h"
#include "engine/cloud/reference/plain_system_name.h"
#include "engine/cloud/reference/proj_facts.h"
#include "engine/cloud/reference/proj_session.h"
#include "engine/cloud/reference/system_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <string_view>

namespace scanloupe {

namespace {

constexpr std::size_t kLongestText = 65535; // bytes, the maximum of a LAS VLR; actual texts have up to 10,000

/// The interpretation of a text.
struct Interpretation {
    ProjObject system;                             ///< null if there is none, or the system is unknown
    std::string name;                              ///< name as in the text; may be empty
    std::string problem;                           ///< as in SystemFacts
    std::optional<NamedUnit> horizontal, vertical; ///< units that the text states separately from the system
};

ProjObject systemOfCode(const ProjSession& proj, std::string_view codes) {
    return ProjObject(proj_create(proj.context(), fmt::format("EPSG:{}", codes).c_str()));
}

/// Formats PROJ's error message. The position in the text, which is on further lines, is removed.
std::string problemBy(const std::string& error) {
    return fmt::format("PROJ says '{}'", error.substr(0, error.find('\n')));
}

/// Returns the reason why no system was found for a code.
std::string codeProblem(ProjSession& proj) {
    return proj.hasDatabase() ? problemBy(proj.takeError())
                              : "PROJ found no readable proj.db; install proj-data, and check whether "
                                "PROJ_DATA or PROJ_LIB is set to another one";
}

/// Returns the system with this exact name in the EPSG dataset; null if there is none.
ProjObject systemOfName(const ProjSession& proj, const std::string& name) {
    constexpr std::array types{PJ_TYPE_CRS};
    const ProjList list(proj_create_from_name(proj.context(), "EPSG", name.c_str(), types.data(),
                                              types.size(), 0, 1, nullptr));
    return ProjObject(
        list && proj_list_get_count(list.get()) > 0 ? proj_list_get(proj.context(), list.get(), 0) : nullptr);
}

bool isWithoutCase(std::string_view text, std::string_view lower) {
    return std::ranges::equal(text, lower, [](unsigned char a, char b) { return std::tolower(a) == b; });
}

bool isDigits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char sign) { return sign >= '0' && sign <= '9'; });
}

/// Returns "25832" or "25832+7837" from "EPSG:25832+7837", or from a name followed by such a code in
/// brackets, as in SystemFacts::name; empty for any other text.
std::string_view codesIn(std::string_view text) {
    if (text.ends_with(')') && text.rfind('(') != std::string_view::npos)
        text = text.substr(text.rfind('(') + 1, text.size() - text.rfind('(') - 2);
    if (!isWithoutCase(text.substr(0, 5), "epsg:"))
        return {};
    const std::string_view codes = text.substr(5);
    const std::size_t plus = codes.find('+');
    const bool areCodes = isDigits(codes.substr(0, plus)) &&
                          (plus == std::string_view::npos || isDigits(codes.substr(plus + 1)));
    return areCodes ? codes : std::string_view();
}

/// Returns the vertical system that LAStools and GDAL 1 write inside the horizontal one, where PROJ ignores
/// it; empty if there is none.
std::string heightsWithin(std::string_view wkt) {
    const std::size_t begin = std::min(wkt.find("VERT_CS["), wkt.find("VERTCS["));
    int depth = 0;
    bool isQuoted = false;
    for (std::size_t at = begin; at < wkt.size(); ++at) {
        isQuoted = isQuoted != (wkt[at] == '"');
        if (isQuoted)
            continue;
        depth += int(wkt[at] == '[') - int(wkt[at] == ']');
        if (depth == 0 && wkt[at] == ']')
            return std::string(wkt.substr(begin, at + 1 - begin));
    }
    return {};
}

Interpretation fromWkt(ProjSession& proj, const std::string& text) {
    Interpretation result{{}, plainSystemName(text), {}, {}, {}};
    if (text.size() > kLongestText) {
        result.problem = fmt::format("it is longer than {} bytes", kLongestText);
        return result;
    }
    PROJ_STRING_LIST errors = nullptr;
    result.system.reset(proj_create_from_wkt(proj.context(), text.c_str(), nullptr, nullptr, &errors));
    if (!result.system)
        result.problem = problemBy(errors && *errors ? std::string(*errors) : proj.takeError());
    proj_string_list_destroy(errors);
    const std::string inner = heightsWithin(text);
    if (!result.system || inner.empty() || proj_get_type(result.system.get()) == PJ_TYPE_COMPOUND_CRS)
        return result;
    const ProjObject heights(proj_create_from_wkt(proj.context(), inner.c_str(), nullptr, nullptr, nullptr));
    SystemFacts facts;
    if (heights)
        addFacts(proj, heights.get(), facts);
    result.vertical = facts.vertical;
    return result;
}

Interpretation fromCodes(ProjSession& proj, std::string_view codes) {
    Interpretation result{systemOfCode(proj, codes), fmt::format("EPSG:{}", codes), {}, {}, {}};
    if (!result.system)
        result.problem = codeProblem(proj);
    return result;
}

/// Returns the unit of length that GeoTIFF keys define.
std::optional<NamedUnit> unitOfKeys(const ProjSession& proj, std::optional<int> code,
                                    std::optional<double> size) {
    if (code == kUserDefinedKey)
        return size ? std::optional(unitOf(fmt::format("{} m", *size), *size)) : std::nullopt;
    const char *name = nullptr, *category = nullptr;
    double metres = 0;
    if (!code)
        return std::nullopt;
    const std::string text = fmt::format("{}", *code);
    const bool isLength =
        proj_uom_get_info_from_database(proj.context(), "EPSG", text.c_str(), &name, &metres, &category) &&
        std::string_view(category) == "linear";
    return isLength ? unitOf(name, metres) : NamedUnit{LengthUnit::unknown, "EPSG:" + text};
}

bool isCode(std::optional<int> key) {
    return key && *key > 0 && *key < kUserDefinedKey;
}

/// Returns the code of the system in GeoTIFF keys, followed by "+" and the code of the vertical system if
/// `withHeights`; empty without a code.
std::string codesOf(const GeoTiffKeys& keys, bool withHeights) {
    const bool mayBeGeographic = !keys.projected && keys.model != 1;
    const auto plane = mayBeGeographic ? keys.geographic : keys.projected;
    if (!isCode(plane) || (withHeights && !isCode(keys.vertical)))
        return {};
    return withHeights ? fmt::format("{}+{}", *plane, *keys.vertical) : fmt::format("{}", *plane);
}

Interpretation fromKeys(ProjSession& proj, const GeoTiffKeys& keys) {
    Interpretation result{{}, keys.citation, {}, {}, {}};
    const std::string plane = codesOf(keys, false), both = codesOf(keys, true);
    if (!proj.hasDatabase()) { // units are EPSG codes as well
        result.problem = codeProblem(proj);
        return result;
    }
    if (!both.empty()) // older files have codes of vertical systems that no longer exist
        result.system = systemOfCode(proj, both);
    if (!plane.empty() && !result.system)
        result.system = systemOfCode(proj, plane);
    if (!plane.empty() && !result.system) {
        result.name = keys.citation.empty() ? fmt::format("EPSG:{}", plane) : keys.citation;
        result.problem = codeProblem(proj);
    }
    if (plane.empty() && !keys.citation.empty())
        result.system = systemOfName(proj, keys.citation);
    const bool isGeographic = keys.model ? *keys.model == 2 : keys.geographic && !keys.projected;
    result.horizontal = isGeographic ? NamedUnit{LengthUnit::degree, "degree"}
                                     : unitOfKeys(proj, keys.linearUnit, keys.linearSize);
    result.vertical = unitOfKeys(proj, keys.verticalUnit, {});
    return result;
}

Interpretation interpret(ProjSession& proj, std::string text) {
    constexpr std::string_view spaces = " \t\r\n";
    text.erase(0, text.find_first_not_of(spaces));
    text.erase(text.find_last_not_of(spaces) + 1);
    if (proj_context_guess_wkt_dialect(proj.context(), text.c_str()) != PJ_GUESSED_NOT_WKT)
        return fromWkt(proj, text);
    if (const auto keys = parseGeoTiffKeys(text))
        return fromKeys(proj, *keys);
    if (const std::string_view codes = codesIn(text); !codes.empty())
        return fromCodes(proj, codes);
    return {systemOfName(proj, text), text, {}, {}, {}};
}

bool hasWord(const std::string& text) {
    return std::ranges::any_of(text, [](unsigned char sign) { return std::isalnum(sign) || sign > 127; });
}

/// @param isContradicted whether the text states another unit than the system that it names
SystemFacts factsOf(const ProjSession& proj, const Interpretation& found, bool& isContradicted) {
    SystemFacts facts;
    if (found.system)
        addFacts(proj, found.system.get(), facts);
    isContradicted = found.horizontal && facts.horizontal && found.horizontal->unit != facts.horizontal->unit;
    facts.problem = found.problem;
    facts.name = found.name;
    if (isContradicted) // keys describe the coordinates of this file; the system's definition applies to many
                        // files
        facts.axes.clear();
    else if (found.system)
        facts.name = nameWithCode(proj, found.system.get());
    if (found.horizontal)
        facts.horizontal = found.horizontal;
    if (found.vertical)
        facts.vertical = found.vertical;
    return facts;
}

} // namespace

bool haveProj() {
    return true;
}

SystemFacts readSystemText(const std::string& text) {
    if (!hasWord(text))
        return {}; // '' occurs in some files
    ProjSession proj;
    bool isContradicted = false;
    return factsOf(proj, interpret(proj, text), isContradicted);
}

bool isSameSystem(const std::string& one, const std::string& other) {
    if (one == other)
        return true;
    if (!hasWord(one) || !hasWord(other))
        return hasWord(one) == hasWord(other);
    ProjSession proj;
    const Interpretation a = interpret(proj, one), b = interpret(proj, other);
    bool isContradictedA = false, isContradictedB = false;
    const SystemFacts first = factsOf(proj, a, isContradictedA), second = factsOf(proj, b, isContradictedB);
    const bool differInHeight =
        first.vertical && second.vertical && first.vertical->unit != second.vertical->unit;
    return a.system && b.system && !isContradictedA && !isContradictedB && !differInHeight &&
           proj_is_equivalent_to_with_ctx(proj.context(), a.system.get(), b.system.get(),
                                          PJ_COMP_EQUIVALENT_EXCEPT_AXIS_ORDER_GEOGCRS) != 0;
}

} // namespace scanloupe
