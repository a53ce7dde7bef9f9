#include "engine/io/volume_shape.h"

#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>

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

std::optional<VolumeShape> fromName(const InputFile& file) {
    static const std::regex sizes("([0-9]{1,9})x([0-9]{1,9})x([0-9]{1,9})");
    static const std::regex types("(u?int(8|16|32|64)|float(32|64))");
    const std::string name = file.path().stem().string();
    std::smatch match;
    if (name.size() > 255 || !std::regex_search(name, match, sizes))
        return std::nullopt;
    VolumeShape shape;
    for (int axis = 0; axis < 3; ++axis) {
        shape.dims[axis] = std::stoi(match[static_cast<std::size_t>(axis) + 1].str());
        if (shape.dims[axis] < 1)
            return std::nullopt;
    }
    if (std::regex_search(name, match, types))
        shape.type = *typeNamed(match[1].str());
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
