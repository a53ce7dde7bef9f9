// Determines the shape of a raw volume by its sidecar, its name or its length.
#include "engine/io/volume/volume_shape.h"

#include "engine/cloud/attribute.h"
#include "engine/cloud/error.h"
#include "engine/io/common/bounded_json.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace scanloupe {

namespace {

std::optional<ScalarType> typeNamed(const std::string& name) {
    for (int i = 0; i <= static_cast<int>(ScalarType::float64); ++i)
        if (name == nameOf(static_cast<ScalarType>(i)))
            return static_cast<ScalarType>(i);
    return std::nullopt;
}

/// Parses a dimension of the volume. The number is read as double, since converting a JSON number to an
/// integer would silently truncate fractions.
std::int32_t dimensionFrom(const nlohmann::ordered_json& value) {
    const double edge = value.is_number() ? value.get<double>() : 0;
    if (!(edge >= 1 && edge <= std::numeric_limits<std::int32_t>::max() && edge == std::floor(edge)))
        throw std::runtime_error("its dims must be whole numbers from 1 to 2147483647 (got " + value.dump() +
                                 ")");
    return static_cast<std::int32_t>(edge);
}

float spacingFrom(const nlohmann::ordered_json& value) {
    const double spacing = value.is_number() ? value.get<double>() : 0;
    if (!(spacing >= double(std::numeric_limits<float>::min()) &&
          spacing <= double(std::numeric_limits<float>::max())))
        throw std::runtime_error("its spacing must be a number above 0 (got " + value.dump() + ")");
    return static_cast<float>(spacing);
}

/// Returns a member of the sidecar that must be a list with a value for each axis. @throws std::runtime_error
const nlohmann::ordered_json& threeOf(const nlohmann::ordered_json& json, const char* key) {
    const nlohmann::ordered_json& values = json.at(key);
    if (!values.is_array() || values.size() != 3)
        throw std::runtime_error(std::string("its ") + key + " must be a list of three numbers (got " +
                                 values.dump().substr(0, 40) + ")");
    return values;
}

std::optional<VolumeShape> fromSidecar(const InputFile& file) {
    const std::filesystem::path path = sidecarOf(file.path());
    std::error_code ignored; // opening an inaccessible path reports the error
    if (std::filesystem::status(path, ignored).type() == std::filesystem::file_type::not_found)
        return std::nullopt;
    constexpr std::uint64_t most = std::uint64_t{1} << 20;
    const auto json = parseBoundedJson(readSmallFile(path, most), "the sidecar '" + path.string() + "'");
    try {
        VolumeShape shape;
        shape.isEmpty = json.value("type", "") == kEmptyVolume;
        const auto type = typeNamed(shape.isEmpty ? "uint8" : json.value("type", "uint8"));
        if (!type)
            throw std::runtime_error("its type is unsupported (got " + json["type"].dump().substr(0, 40) +
                                     ")");
        shape.type = *type;
        for (int axis = 0; axis < 3; ++axis) {
            const auto i = static_cast<std::size_t>(axis);
            shape.dims[axis] = dimensionFrom(threeOf(json, "dims")[i]);
            if (json.contains("spacing"))
                shape.spacing[axis] = spacingFrom(threeOf(json, "spacing")[i]);
        }
        return shape;
    } catch (const std::exception& error) {
        throw EngineError("the sidecar '" + path.string() + "' can't be used: " + jsonProblem(error),
                          "Write it as in this example: {\"dims\": [64, 64, 32], \"type\": \"uint8\", "
                          "\"spacing\": [1, 1, 1]}.");
    }
}

/// Parses dimensions such as 64x64x32 at the beginning of `text`; returns nullopt if there are none.
std::optional<Vec3i> dimensionsAt(std::string_view text) {
    Vec3i dims;
    for (int axis = 0; axis < 3; ++axis) {
        if (axis > 0) {
            if (text.empty() || text.front() != 'x')
                return std::nullopt;
            text.remove_prefix(1);
        }
        const auto parsed = std::from_chars(text.data(), text.data() + text.size(), dims[axis]);
        if (parsed.ec != std::errc() || dims[axis] < 1)
            return std::nullopt;
        text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()));
    }
    return dims;
}

std::optional<VolumeShape> fromName(const InputFile& file) {
    const std::string name = file.path().stem().string();
    std::optional<VolumeShape> shape;
    for (std::size_t at = 0; at < name.size() && !shape; ++at)
        if (const auto dims = dimensionsAt(std::string_view(name).substr(at)))
            shape = VolumeShape{*dims, ScalarType::uint8, {1, 1, 1}};
    if (!shape)
        return std::nullopt;
    std::size_t longest = 0; // the longest match wins, since "uint8" contains "int8"
    for (int i = 0; i <= static_cast<int>(ScalarType::float64); ++i) {
        const auto type = static_cast<ScalarType>(i);
        const std::string_view word = nameOf(type);
        if (word.size() > longest && name.find(word) != std::string::npos) {
            shape->type = type;
            longest = word.size();
        }
    }
    return shape;
}

} // namespace

std::filesystem::path sidecarOf(std::filesystem::path volume) {
    return volume.replace_extension(".json");
}

VolumeShape volumeShape(const InputFile& file) {
    auto shape = fromSidecar(file);
    if (!shape)
        shape = fromName(file);
    if (!shape) {
        const auto edge =
            static_cast<std::uint64_t>(std::llround(std::cbrt(static_cast<double>(file.size()))));
        if (edge == 0 || edge > 2097151 || edge * edge * edge != file.size())
            throw EngineError("the dimensions of the volume '" + file.name() + "' are unknown: its " +
                                  std::to_string(file.size()) + " bytes do not form a cube",
                              "Put the dimensions into the file name, such as name_64x64x32_uint8.raw, or "
                              "into a sidecar name.json.");
        const auto n = static_cast<std::int32_t>(edge);
        shape = VolumeShape{{n, n, n}, ScalarType::uint8, {1, 1, 1}};
    }
    const double cells = double(shape->dims.x) * shape->dims.y * shape->dims.z;
    if (cells > kMaxSamples)
        throw EngineError("the name or the sidecar of '" + file.name() + "' specifies " +
                              std::to_string(shape->dims.x) + " x " + std::to_string(shape->dims.y) + " x " +
                              std::to_string(shape->dims.z) + " values, more than the maximum of 9e15",
                          "Correct the dimensions in the name or in the sidecar.");
    return *shape;
}

} // namespace scanloupe
