#include "engine/io/volume_shape.h"

#include <charconv>
#include <cmath>
#include <fstream>
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

std::optional<VolumeShape> fromSidecar(const InputFile& file) {
    auto path = file.path();
    path.replace_extension(".json");
    std::ifstream stream(path);
    if (!stream)
        return std::nullopt;
    try {
        const auto json = nlohmann::json::parse(stream);
        VolumeShape shape;
        const auto type = typeNamed(json.value("type", "uint8"));
        if (!type)
            throw std::runtime_error("its type is not known");
        shape.type = *type;
        for (int axis = 0; axis < 3; ++axis) {
            const auto i = static_cast<std::size_t>(axis);
            shape.dims[axis] = json.at("dims").at(i).get<std::int32_t>();
            if (json.contains("spacing"))
                shape.spacing[axis] = json.at("spacing").at(i).get<float>();
            if (shape.dims[axis] < 1 || !(shape.spacing[axis] > 0) || !std::isfinite(shape.spacing[axis]))
                throw std::runtime_error("its dims and spacing must be above 0");
        }
        return shape;
    } catch (const std::exception& error) {
        throw EngineError(
            "the sidecar '" + path.string() + "' can't be used: " + error.what(),
            "Write it so: {\"dims\": [64, 64, 32], \"type\": \"uint8\", \"spacing\": [1, 1, 1]}.");
    }
}

/// The sizes at the beginning of `text`, written as 64x64x32.
std::optional<Vec3i> sizesAt(std::string_view text) {
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
        if (const auto dims = sizesAt(std::string_view(name).substr(at)))
            shape = VolumeShape{*dims, ScalarType::uint8, {1, 1, 1}};
    if (!shape)
        return std::nullopt;
    std::size_t longest = 0; // uint8 has int8 in it
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

VolumeShape volumeShape(const InputFile& file) {
    auto shape = fromSidecar(file);
    if (!shape)
        shape = fromName(file);
    if (!shape) {
        const auto edge =
            static_cast<std::uint64_t>(std::llround(std::cbrt(static_cast<double>(file.size()))));
        if (edge == 0 || edge > 2097151 || edge * edge * edge != file.size())
            throw EngineError(
                "it is not known how large the volume in '" + file.name() + "' is: its " +
                    std::to_string(file.size()) + " bytes are no cube",
                "Say it in the name, such as name_64x64x32_uint8.raw, or in a sidecar name.json.");
        const auto n = static_cast<std::int32_t>(edge);
        shape = VolumeShape{{n, n, n}, ScalarType::uint8, {1, 1, 1}};
    }
    const double cells = double(shape->dims.x) * shape->dims.y * shape->dims.z;
    if (cells > 9e15)
        throw EngineError("'" + file.name() + "' claims a volume that no file can hold",
                          "Correct its name or its sidecar.");
    return *shape;
}

} // namespace scanloupe
