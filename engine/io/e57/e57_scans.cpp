// Parses the XML section of E57 files (ASTM E2807): Data3D elements, their prototypes, poses and limits.
#include "engine/io/e57/e57_scans.h"

#include "engine/cloud/attribute.h"
#include "engine/cloud/damage.h"
#include "engine/cloud/error.h"
#include "engine/cloud/scaled_frame.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <pugixml.hpp>
#include <set>
#include <utility>

namespace scanloupe {

namespace {

constexpr std::size_t kMaxFields = 256;
constexpr char kNextStep[] = "The file is damaged or was written incorrectly. Copy or export it again.";

template <class T>
T numberOf(const char* text, T otherwise) {
    while (*text == ' ' || *text == '\n' || *text == '\r' || *text == '\t' || *text == '+')
        ++text;
    T value{};
    const auto end = text + std::char_traits<char>::length(text);
    return std::from_chars(text, end, value).ec == std::errc() ? value : otherwise;
}

double numberIn(const pugi::xml_node& node, const char* child, double otherwise) {
    const double value = numberOf(node.child(child).text().get(), otherwise);
    return std::isfinite(value) ? value : otherwise;
}

E57Field readField(const E57Pages& pages, const pugi::xml_node& node) {
    E57Field field;
    field.name = node.name();
    const std::string_view type = node.attribute("type").value();
    if (type == "Float") {
        const bool single = std::string_view(node.attribute("precision").value()) == "single";
        field.kind = single ? E57Field::Kind::float32 : E57Field::Kind::float64;
        field.bits = single ? 32 : 64;
        return field;
    }
    if (type != "Integer" && type != "ScaledInteger")
        throw EngineError(fmt::format("in '{}', the attribute '{}' has the unsupported type '{}'",
                                      pages.file().name(), field.name, type),
                          kNextStep);
    field.kind = type == "Integer" ? E57Field::Kind::integer : E57Field::Kind::scaled;
    field.minimum = numberOf(node.attribute("minimum").value(), std::numeric_limits<std::int64_t>::min());
    field.maximum = numberOf(node.attribute("maximum").value(), std::numeric_limits<std::int64_t>::max());
    if (field.maximum < field.minimum)
        throw EngineError(fmt::format("in '{}', the attribute '{}' has the invalid range {} to {}",
                                      pages.file().name(), field.name, field.minimum, field.maximum),
                          kNextStep);
    if (field.kind == E57Field::Kind::scaled) {
        field.scale = numberOf(node.attribute("scale").value(), 1.0);
        field.offset = numberOf(node.attribute("offset").value(), 0.0);
        if (field.scale == 0 || !std::isfinite(field.scale) || !std::isfinite(field.offset))
            throw EngineError(fmt::format("in '{}', the attribute '{}' has the invalid scale {} or offset {}",
                                          pages.file().name(), field.name, field.scale, field.offset),
                              kNextStep);
    }
    field.bits =
        std::bit_width(static_cast<std::uint64_t>(field.maximum) - static_cast<std::uint64_t>(field.minimum));
    return field;
}

std::optional<E57Pose> readPose(const pugi::xml_node& node) {
    if (!node)
        return std::nullopt;
    E57Pose pose;
    const pugi::xml_node r = node.child("rotation"), t = node.child("translation");
    double w = numberIn(r, "w", r ? 0 : 1), x = numberIn(r, "x", 0), y = numberIn(r, "y", 0),
           z = numberIn(r, "z", 0);
    const double length = std::sqrt(w * w + x * x + y * y + z * z);
    if (length > 0 && std::isfinite(length)) {
        // The standard requires unit quaternions, but some writers round their components.
        if (length != 1) {
            w /= length;
            x /= length;
            y /= length;
            z /= length;
        }
        pose.rotation = {x, y, z, w};
        pose.axes[0] = {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)};
        pose.axes[1] = {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)};
        pose.axes[2] = {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)};
    }
    pose.translation = {numberIn(t, "x", 0), numberIn(t, "y", 0), numberIn(t, "z", 0)};
    return pose;
}

/// Reads a limit of any number type; nullopt if `node` does not exist.
std::optional<double> readLimit(const pugi::xml_node& node) {
    if (!node)
        return std::nullopt;
    double value = numberOf(node.text().get(), 0.0); // an empty element means 0
    if (std::string_view(node.attribute("type").value()) == "ScaledInteger")
        value = ScaledNumber(numberOf(node.attribute("scale").value(), 1.0),
                             numberOf(node.attribute("offset").value(), 0.0))
                    .value(value);
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// Whether [minimum, maximum] is the whole range of a 16, 32 or 64-bit integer type. Such limits declare the
/// width of the values and not their full scale.
bool isMachineType(std::int64_t minimum, std::int64_t maximum) {
    const auto is = [&]<class T>(T) {
        using Limits = std::numeric_limits<T>;
        return minimum == static_cast<std::int64_t>(Limits::min()) && std::cmp_equal(maximum, Limits::max());
    };
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    return is(std::uint16_t{}) || is(std::int16_t{}) || is(std::uint32_t{}) || is(std::int32_t{}) ||
           is(std::int64_t{}) || (minimum == 0 && maximum == most);
}

/// Returns the value range of a field's type; nullopt if the type does not limit its values.
std::optional<ValueRange> typeRange(const E57Field& field) {
    const bool integers = field.kind == E57Field::Kind::integer || field.kind == E57Field::Kind::scaled;
    if (!integers || isMachineType(field.minimum, field.maximum))
        return std::nullopt;
    const ScaledNumber number(field.scale, field.offset);
    const double a = number.value(static_cast<double>(field.minimum)),
                 b = number.value(static_cast<double>(field.maximum));
    return ValueRange{std::min(a, b), std::max(a, b)};
}

/// Rejects fields with equal names, since columns are found by field name.
void requireDifferentNames(const E57Pages& pages, const std::vector<E57Field>& fields) {
    std::set<std::string_view> names;
    for (const E57Field& field : fields)
        if (!names.insert(field.name).second)
            throw EngineError(fmt::format("in '{}', two attributes of a scan have the name '{}'",
                                          pages.file().name(), field.name),
                              kNextStep);
}

/// Sets the full scale of a scan's colours and intensities: colorLimits and intensityLimits, or else the
/// ranges of their types.
void setFullScale(E57Scan& scan, const pugi::xml_node& node) {
    constexpr std::pair<const char*, const char*> known[] = {{"colorRed", "colorLimits"},
                                                             {"colorGreen", "colorLimits"},
                                                             {"colorBlue", "colorLimits"},
                                                             {"intensity", "intensityLimits"}};
    for (const auto& [name, group] : known) {
        const int place = scan.find(name);
        if (place < 0)
            continue;
        E57Field& field = scan.fields[static_cast<std::size_t>(place)];
        const pugi::xml_node limits = node.child(group);
        const auto least = readLimit(limits.child(fmt::format("{}Minimum", name).c_str())),
                   most = readLimit(limits.child(fmt::format("{}Maximum", name).c_str()));
        field.declared = least && most && *least < *most ? ValueRange{*least, *most} : typeRange(field);
    }
}

E57Scan readScan(const E57Pages& pages, const pugi::xml_node& node) {
    E57Scan scan;
    scan.name = node.child("name").text().get();
    const pugi::xml_node points = node.child("points");
    scan.points = numberOf(points.attribute("recordCount").value(), std::uint64_t{0});
    scan.sectionOffset = pages.logical(numberOf(points.attribute("fileOffset").value(), std::uint64_t{0}));
    for (const pugi::xml_node& value : points.child("prototype").children())
        if (value.type() == pugi::node_element)
            scan.fields.push_back(readField(pages, value));
    if (scan.fields.size() > kMaxFields)
        throw EngineError(fmt::format("in '{}', a scan has {} attributes, more than the maximum of {}",
                                      pages.file().name(), scan.fields.size(), kMaxFields),
                          kNextStep);
    requireDifferentNames(pages, scan.fields);
    setFullScale(scan, node);
    scan.pose = readPose(node.child("pose"));
    return scan;
}

} // namespace

int E57Scan::find(std::string_view wanted) const {
    for (std::size_t f = 0; f < fields.size(); ++f)
        if (fields[f].name == wanted)
            return static_cast<int>(f);
    return -1;
}

int E57Scan::invalidState() const {
    const int cartesian = find("cartesianInvalidState"), other = find("sphericalInvalidState");
    const bool own = spherical() ? other >= 0 : cartesian < 0;
    return own ? other : cartesian;
}

E57File readE57Xml(E57Pages& pages) {
    std::vector<std::byte> text(static_cast<std::size_t>(pages.xmlLength()));
    pages.read(pages.xmlOffset(), text);
    pugi::xml_document document;
    const auto parsed = document.load_buffer_inplace(text.data(), text.size());
    const pugi::xml_node root = document.child("e57Root");
    if (!root)
        throw EngineError(fmt::format("the XML description of the scans in '{}' is invalid: {}",
                                      pages.file().name(),
                                      parsed ? "it has no e57Root" : parsed.description()),
                          kNextStep);
    E57File found;
    if (!parsed)
        found.warnings.push_back(damageWarning("The end of the XML description of the scans is damaged."));
    for (const pugi::xml_node& node : root.child("data3D").children())
        if (node.type() == pugi::node_element)
            found.scans.push_back(readScan(pages, node));
    for (const pugi::xml_node& node : root.child("images2D").children())
        found.images += node.type() == pugi::node_element ? 1 : 0;
    found.coordinateSystem = root.child("coordinateMetadata").text().get();
    return found;
}

} // namespace scanloupe
