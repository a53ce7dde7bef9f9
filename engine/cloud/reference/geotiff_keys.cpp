// Parses GeoTIFF keys from their text form.
#include "engine/cloud/reference/geotiff_keys.h"

#include <charconv>
#include <cmath>

namespace scanloupe {

namespace {

/// Returns the value of a key in "name value; name value". No name may be the end of another one.
std::string_view keyValue(std::string_view text, std::string_view name) {
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        const bool begins = at == 0 || text.substr(0, at).ends_with("; ");
        const std::string_view rest = text.substr(at + name.size());
        if (begins && rest.starts_with(' '))
            return rest.substr(1, rest.find("; ") - 1);
    }
    return {};
}

template <class T>
std::optional<T> numberOf(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && std::isfinite(double(value))
               ? std::optional(value)
               : std::nullopt;
}

} // namespace

std::optional<GeoTiffKeys> parseGeoTiffKeys(std::string_view text) {
    const auto code = [text](std::string_view name) { return numberOf<int>(keyValue(text, name)); };
    GeoTiffKeys keys;
    keys.model = code("model type");
    keys.projected = code("projected system EPSG");
    keys.geographic = code("geographic system EPSG");
    keys.vertical = code("vertical system EPSG");
    keys.linearUnit = code("linear units");
    keys.verticalUnit = code("vertical units");
    keys.linearSize = numberOf<double>(keyValue(text, "key 3077"));
    for (const char* name : {"projected citation", "citation", "geographic citation"})
        if (keys.citation.empty())
            keys.citation = std::string(keyValue(text, name));
    const bool isKeys =
        keys.model || code("raster type") || keys.linearUnit || keys.projected || keys.geographic;
    return isKeys ? std::optional(keys) : std::nullopt;
}

} // namespace scanloupe
