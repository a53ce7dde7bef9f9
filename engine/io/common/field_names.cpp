// Maps column names of other programs to canonical attribute names.
#include "engine/io/common/field_names.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <set>

namespace scanloupe {

namespace {

const std::map<std::string, std::string, std::less<>>& synonyms() {
    static const std::map<std::string, std::string, std::less<>> table = {
        {"x", "x"},
        {"y", "y"},
        {"z", "z"},
        {"x_coordinate", "x"},
        {"y_coordinate", "y"},
        {"z_coordinate", "z"},
        {"pos_x", "x"},
        {"pos_y", "y"},
        {"pos_z", "z"},
        {"position_x", "x"},
        {"position_y", "y"},
        {"position_z", "z"},
        {"point_x", "x"}, // used by ArcGIS
        {"point_y", "y"},
        {"point_z", "z"},
        {"e", "x"},
        {"n", "y"},
        {"h", "z"},
        {"u", "z"},
        {"east", "x"},
        {"north", "y"},
        {"elev", "z"},
        {"easting", "x"},
        {"northing", "y"},
        {"elevation", "z"},
        {"ost", "x"},
        {"nord", "y"},
        {"ostwert", "x"},
        {"nordwert", "y"},
        {"rechts", "x"},
        {"hoch", "y"},
        {"rechtswert", "x"},
        {"hochwert", "y"},
        {"hoehe", "z"},
        {"h\xC3\xB6he", "z"}, // UTF-8; non-ASCII capitals are not converted to lower case
        {"h\xC3\x96he", "z"},
        {"h\xF6he", "z"}, // ISO 8859-1
        {"h\xD6he", "z"},
        {"altitude", "z"},
        {"height", "z"},
        {"cartesianx", "x"},
        {"cartesiany", "y"},
        {"cartesianz", "z"},
        {"i", "intensity"},
        {"intensity", "intensity"},
        {"intensities", "intensity"},
        {"reflectance", "intensity"},
        {"reflectivity", "intensity"},
        {"remission", "intensity"},
        {"remissions", "intensity"},
        {"t", "time"},
        {"time", "time"},
        {"timestamp", "time"},
        {"timestamps", "time"},
        {"time_stamp", "time"},
        {"dt", "time"},
        {"time_offset", "time"},
        {"stamp", "time"},
        {"ring", "ring"},
        {"laser_id", "ring"},
        {"laserid", "ring"},
        {"beam", "ring"},
        {"r", "red"},
        {"red", "red"},
        {"diffuse_red", "red"},
        {"colorred", "red"},
        {"g", "green"},
        {"green", "green"},
        {"diffuse_green", "green"},
        {"colorgreen", "green"},
        {"b", "blue"},
        {"blue", "blue"},
        {"diffuse_blue", "blue"},
        {"colorblue", "blue"},
        {"a", "alpha"},
        {"alpha", "alpha"},
        {"diffuse_alpha", "alpha"},
        {"nx", "normal_x"},
        {"ny", "normal_y"},
        {"nz", "normal_z"},
        {"normal_x", "normal_x"},
        {"normal_y", "normal_y"},
        {"normal_z", "normal_z"},
        {"normalx", "normal_x"},
        {"normaly", "normal_y"},
        {"normalz", "normal_z"},
        {"nor:normalx", "normal_x"},
        {"nor:normaly", "normal_y"},
        {"nor:normalz", "normal_z"},
        {"class", "classification"},
        {"classification", "classification"},
        {"sensor_x", "sensor_x"},
        {"sensor_y", "sensor_y"},
        {"sensor_z", "sensor_z"},
        {"vp_x", "sensor_x"},
        {"vp_y", "sensor_y"},
        {"vp_z", "sensor_z"},
    };
    return table;
}

/// Returns the names of LAS fields without separators between words: PDAL writes ReturnNumber, CloudCompare
/// Return_Number.
const std::map<std::string, std::string, std::less<>>& lasNames() {
    static const std::map<std::string, std::string, std::less<>> table = {
        {"returnnumber", "return_number"},
        {"numberofreturns", "number_of_returns"},
        {"scandirectionflag", "scan_direction_flag"},
        {"edgeofflightline", "edge_of_flight_line"},
        {"scanangle", "scan_angle"},
        {"scananglerank", "scan_angle_rank"},
        {"userdata", "user_data"},
        {"pointsourceid", "point_source_id"},
        {"gpstime", "time"},
        {"offsettime", "time"},
        {"infrared", "near_infrared"},
        {"nearinfrared", "near_infrared"},
        {"nir", "near_infrared"},
        {"scanchannel", "scanner_channel"},
        {"scannerchannel", "scanner_channel"},
        {"synthetic", "synthetic"},
        {"keypoint", "key_point"},
        {"withheld", "withheld"},
        {"overlap", "overlap"},
    };
    return table;
}

/// Returns the canonical name for `tidy`; empty if there is none.
std::string synonymOf(const std::string& tidy) {
    if (const auto known = synonyms().find(tidy); known != synonyms().end())
        return known->second;
    std::string joined = tidy;
    std::erase_if(joined, [](char c) { return c == '_' || c == ' ' || c == '-'; });
    const auto known = lasNames().find(joined);
    return known != lasNames().end() ? known->second : std::string();
}

/// Whether a name is a single letter whose companion columns are missing, so that its meaning is unclear: a
/// and b are also axes of L*a*b*, r may be a radius, n a count.
bool isLoneLetter(const std::string& tidy, const std::set<std::string>& tidied) {
    if (tidy == "e" || tidy == "n" || tidy == "u" || tidy == "h") {
        const bool onMap = tidied.contains("e") && tidied.contains("n");
        return !onMap && !(tidy == "h" && tidied.contains("x") && tidied.contains("y"));
    }
    const bool letters = tidied.contains("r") && tidied.contains("g") && tidied.contains("b");
    if (tidy == "a")
        return !letters && !(tidied.contains("red") && tidied.contains("green") && tidied.contains("blue"));
    return !letters && (tidy == "r" || tidy == "g" || tidy == "b");
}

bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '"' || c == '\'';
}

} // namespace

std::string tidyName(std::string_view name) {
    while (!name.empty() && (isBlank(name.front()) || name.front() == '#' || name.front() == '/'))
        name.remove_prefix(1);
    while (!name.empty() && isBlank(name.back()))
        name.remove_suffix(1);
    std::string tidy(name);
    std::transform(tidy.begin(), tidy.end(), tidy.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto bracket = tidy.find_first_of("[(");
    if (bracket != std::string::npos && bracket > 0 && (tidy.back() == ']' || tidy.back() == ')')) {
        tidy.resize(bracket);
        while (!tidy.empty() && isBlank(tidy.back()))
            tidy.pop_back();
    }
    return tidy;
}

std::vector<std::string> canonicalNames(const std::vector<std::string>& names) {
    std::set<std::string> tidied, taken;
    for (const auto& name : names)
        tidied.insert(tidyName(name));
    const bool texture = tidied.contains("s") && tidied.contains("t"); // with s and t as texture coordinates,
                                                                       // t is not a time
    std::map<std::string, int> numbers;                                // last number appended to each name
    std::vector<std::string> result;
    for (const auto& name : names) {
        std::string tidy = tidyName(name);
        if (tidy.starts_with("scalar_") && !synonymOf(tidy.substr(7)).empty())
            tidy.erase(0, 7); // prefix of scalar fields by CloudCompare
        const std::string known = synonymOf(tidy);
        // A synonym is not used if another column has the canonical name itself.
        const bool use = !known.empty() && !(texture && tidy == "t") && !isLoneLetter(tidy, tidied) &&
                         (known == tidy || !tidied.contains(known));
        std::string chosen = use ? known : name;
        if (taken.contains(chosen))
            chosen = name;
        if (chosen.empty())
            chosen = "unnamed";
        if (taken.contains(chosen)) {
            const std::string base = chosen;
            for (int& number = numbers.try_emplace(base, 1).first->second; taken.contains(chosen);)
                chosen = base + "_" + std::to_string(++number);
        }
        taken.insert(chosen);
        result.push_back(chosen);
    }
    return result;
}

bool areGeographic(const std::vector<std::string>& names) {
    const auto hasOneOf = [&](std::initializer_list<std::string_view> words) {
        return std::ranges::any_of(names, [&](const std::string& name) {
            return std::ranges::find(words, tidyName(name)) != words.end();
        });
    };
    return hasOneOf({"lon", "lng", "long", "longitude"}) && hasOneOf({"lat", "latitude"});
}

std::string componentName(const std::string& name, std::size_t component, std::size_t components) {
    if (components == 1)
        return name;
    return name + "_" +
           (components == 3 ? std::string(1, static_cast<char>('x' + component))
                            : std::to_string(component + 1));
}

bool isPackedColour(std::string_view name) {
    const std::string tidy = tidyName(name);
    return tidy == "rgb" || tidy == "rgba";
}

} // namespace scanloupe
