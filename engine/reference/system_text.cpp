// Finds name, code and units in the text of a coordinate system.
#include "engine/reference/system_text.h"

#include "engine/reference/wkt.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace scanloupe {

namespace {

constexpr int kUserDefined = 32767; // GeoTIFF 1.0, section 6.3

std::string lower(std::string_view text) {
    std::string all(text);
    std::ranges::transform(all, all.begin(),
                           [](unsigned char sign) { return sign < 128 ? char(std::tolower(sign)) : sign; });
    return all;
}

std::optional<double> numberOf(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && std::isfinite(value)
               ? std::optional(value)
               : std::nullopt;
}
std::optional<int> codeOf(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::string withCode(std::string name, std::optional<int> epsg) {
    if (!epsg || *epsg <= 0 || *epsg == kUserDefined)
        return name;
    const std::string code = fmt::format("EPSG:{}", *epsg);
    return name.empty() ? code : fmt::format("{} ({})", name, code);
}

/// Units of the EPSG dataset, as GeoTIFF keys and WKT have their codes.
std::optional<LengthUnit> unitOfEpsg(int code) {
    switch (code) {
    case 9001:
        return LengthUnit::metre;
    case 9002:
        return LengthUnit::foot;
    case 9003:
        return LengthUnit::surveyFoot;
    case 1033:
        return LengthUnit::centimetre;
    case 1025:
        return LengthUnit::millimetre;
    case 9102:
    case 9122:
        return LengthUnit::degree;
    default:
        return std::nullopt;
    }
}

/// The unit of coordinates in systems that many scans are in: of all UTM zones on WGS 84, ETRS89 and NAD83
/// metres, of geographic ones degrees. Others need the EPSG dataset.
std::optional<NamedUnit> unitOfSystem(int epsg) {
    const auto within = [epsg](int low, int high) { return epsg >= low && epsg <= high; };
    if (within(32601, 32660) || within(32701, 32760) || within(25828, 25838) || within(26901, 26923) ||
        epsg == 3857 || epsg == 4978)
        return NamedUnit{LengthUnit::metre, "metre"};
    if (epsg == 4326 || epsg == 4258 || epsg == 4267 || epsg == 4269 || epsg == 4979)
        return NamedUnit{LengthUnit::degree, "degree"};
    return std::nullopt;
}

/// A unit by its code, its name or its size. A foot's size tells which foot it is; where size and name
/// contradict each other, as in files that were written with a size of 1 for every unit, the name is right.
NamedUnit unitOf(std::string_view name, std::optional<double> metres, std::optional<int> epsg) {
    const std::string shown(name);
    if (const auto known = epsg ? unitOfEpsg(*epsg) : std::nullopt)
        return {*known, shown};
    const LengthUnit bySize =
        metres ? lengthUnitOfMetres(*metres).value_or(LengthUnit::unknown) : LengthUnit::unknown;
    const std::string word = lower(name);
    const auto has = [&word](std::string_view part) { return word.find(part) != std::string::npos; };
    if (has("clarke") || has("indian") || has("sears") || has("gold coast"))
        return {LengthUnit::unknown, shown}; // other feet
    if (has("foot") || has("feet") || word.starts_with("ft")) {
        if (bySize == LengthUnit::foot || bySize == LengthUnit::surveyFoot)
            return {bySize, shown};
        return {has("us") || has("u.s") || has("survey") ? LengthUnit::surveyFoot : LengthUnit::foot, shown};
    }
    if (word == "degree" || word == "degrees")
        return {LengthUnit::degree, shown};
    return {bySize, shown};
}

// Well-known text

using Keywords = std::span<const std::string_view>;
constexpr std::array<std::string_view, 2> kIds{"AUTHORITY", "ID"}, kLengths{"UNIT", "LENGTHUNIT"};
constexpr std::array<std::string_view, 1> kAxis{"AXIS"}, kAxes{"CS"}, kSource{"SOURCECRS"};
constexpr std::array<std::string_view, 5> kGeographic{"GEOGCS", "GEOGCRS", "GEOGRAPHICCRS", "GEODCRS",
                                                      "GEODETICCRS"};
constexpr std::array<std::string_view, 7> kPlane{"PROJCS",         "PROJCRS", "PROJECTEDCRS", "LOCAL_CS",
                                                 "ENGINEERINGCRS", "ENGCRS",  "GEOCCS"};
constexpr std::array<std::string_view, 4> kVertical{"VERT_CS", "VERTCS", "VERTCRS", "VERTICALCRS"};
constexpr std::array<std::string_view, 2> kCompound{"COMPD_CS", "COMPOUNDCRS"};
constexpr std::array<std::string_view, 1> kBound{"BOUNDCRS"};

bool isOneOf(const std::string& keyword, Keywords keywords) {
    return std::ranges::find(keywords, keyword) != keywords.end();
}

std::optional<int> epsgOf(const WktNode& node) {
    const WktNode* id = node.child(kIds);
    return id && id->values.size() > 1 && lower(id->name()) == "epsg" ? codeOf(id->values[1]) : std::nullopt;
}

std::optional<NamedUnit> unitNode(const WktNode& of) {
    const WktNode* unit = of.child(kLengths);
    if (!unit)
        return std::nullopt;
    return unitOf(unit->name(), unit->values.size() > 1 ? numberOf(unit->values[1]) : std::nullopt,
                  epsgOf(*unit));
}

/// The unit of a system's own axes: WKT 1 and most WKT 2 have it beside them, else each axis has one.
std::optional<NamedUnit> unitOfAxes(const WktNode& system) {
    if (auto unit = unitNode(system))
        return unit;
    const WktNode* axis = system.child(kAxis);
    return axis ? unitNode(*axis) : std::nullopt;
}

void readWkt(const WktNode& root, SystemFacts& facts) {
    if (isOneOf(root.keyword, kCompound)) {
        for (const WktNode& part : root.children)
            readWkt(part, facts);
    } else if (isOneOf(root.keyword, kBound)) {
        if (const WktNode* source = root.child(kSource))
            for (const WktNode& part : source->children)
                readWkt(part, facts);
    } else if (isOneOf(root.keyword, kPlane)) {
        facts.horizontal = unitOfAxes(root);
        if (const WktNode* vertical = root.child(kVertical)) // where GDAL 1 and LAStools had it
            facts.vertical = unitOfAxes(*vertical);
    } else if (isOneOf(root.keyword, kGeographic)) {
        const WktNode* axes = root.child(kAxes);
        if (axes && lower(axes->name()) == "cartesian")
            facts.horizontal = unitOfAxes(root);
        else
            facts.horizontal = NamedUnit{LengthUnit::degree, "degree"};
        if (axes && !facts.horizontal)
            facts.horizontal = NamedUnit{LengthUnit::metre, "metre"};
    } else if (isOneOf(root.keyword, kVertical)) {
        facts.vertical = unitOfAxes(root);
    }
}

bool isSystem(const WktNode& node) {
    return isOneOf(node.keyword, kPlane) || isOneOf(node.keyword, kGeographic) ||
           isOneOf(node.keyword, kVertical) || isOneOf(node.keyword, kCompound) ||
           isOneOf(node.keyword, kBound);
}

// GeoTIFF keys

/// The value of a key in "name value; name value", where no name is the end of another.
std::string_view keyValue(std::string_view text, std::string_view name) {
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        const bool begins = at == 0 || text.substr(0, at).ends_with("; ");
        const std::string_view rest = text.substr(at + name.size());
        if (begins && rest.starts_with(' '))
            return rest.substr(1, rest.find("; ") - 1);
    }
    return {};
}

std::optional<NamedUnit> unitOfKeys(std::string_view text, std::string_view name, std::string_view size) {
    const auto code = codeOf(keyValue(text, name));
    if (!code)
        return std::nullopt;
    const auto metres = numberOf(keyValue(text, size));
    if (*code == kUserDefined)
        return metres ? std::optional(unitOf(fmt::format("{} m", *metres), metres, {})) : std::nullopt;
    const NamedUnit unit = unitOf({}, metres, code);
    return NamedUnit{unit.unit, unit.unit == LengthUnit::unknown ? fmt::format("EPSG:{}", *code)
                                                                 : rowOf(unit.unit).name};
}

/// Programs that name systems as the EPSG dataset does end the names of those in feet so.
std::optional<NamedUnit> unitInName(std::string_view name) {
    if (name.find("(ftUS)") != std::string_view::npos)
        return NamedUnit{LengthUnit::surveyFoot, "ftUS"};
    if (name.find("(ft)") != std::string_view::npos)
        return NamedUnit{LengthUnit::foot, "ft"};
    return std::nullopt;
}

SystemFacts readGeoTiffKeys(std::string_view text) {
    SystemFacts facts;
    const auto projected = codeOf(keyValue(text, "projected system EPSG"));
    const auto geographic = codeOf(keyValue(text, "geographic system EPSG"));
    const auto model = codeOf(keyValue(text, "model type"));
    const bool isGeographic = model ? *model == 2 : geographic && !projected;
    facts.horizontal = unitOfKeys(text, "linear units", "key 3077");
    if (isGeographic && !(projected || (!model && facts.horizontal)))
        facts.horizontal = NamedUnit{LengthUnit::degree, "degree"};
    std::string name;
    for (const char* key : {"projected citation", "citation", "geographic citation"}) {
        if (name.empty())
            name = std::string(keyValue(text, key));
    }
    if (!facts.horizontal && projected)
        facts.horizontal = unitOfSystem(*projected);
    if (!facts.horizontal)
        facts.horizontal = unitInName(name);
    facts.vertical = unitOfKeys(text, "vertical units", "key 4099");
    facts.name = withCode(name, projected ? projected : isGeographic ? geographic : std::nullopt);
    return facts;
}

bool isGeoTiffKeys(std::string_view text) {
    return !keyValue(text, "model type").empty() || !keyValue(text, "raster type").empty() ||
           !keyValue(text, "linear units").empty() || !keyValue(text, "projected system EPSG").empty() ||
           !keyValue(text, "geographic system EPSG").empty();
}

bool hasWord(const std::string& text) {
    return std::ranges::any_of(text, [](unsigned char sign) { return std::isalnum(sign) || sign > 127; });
}

} // namespace

SystemFacts readSystemText(const std::string& text) {
    SystemFacts facts;
    if (!hasWord(text))
        return facts; // as '' in some files
    if (const auto wkt = parseWkt(text); wkt && isSystem(*wkt)) {
        readWkt(*wkt, facts);
        const auto epsg = epsgOf(*wkt);
        facts.name = withCode(std::string(wkt->name()), epsg);
        if (!facts.horizontal && epsg)
            facts.horizontal = unitOfSystem(*epsg);
        return facts;
    }
    if (isGeoTiffKeys(text))
        return readGeoTiffKeys(text);
    if (const std::string word = lower(text); word.starts_with("epsg:")) {
        const std::size_t plus = word.find('+'); // of a vertical system
        if (const auto code = codeOf(std::string_view(word).substr(5, plus - std::min<std::size_t>(plus, 5))))
            facts.horizontal = unitOfSystem(*code);
        facts.name = "EPSG:" + text.substr(5);
        return facts;
    }
    facts.name = text;
    facts.horizontal = unitInName(text);
    return facts;
}

} // namespace scanloupe
