// Converts names from and to JSON. Names that are invalid UTF-8 are stored byte by byte.
#include "engine/io/common/text/json_name.h"

#include "engine/cloud/error.h"
#include "engine/io/common/text/utf8.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace scanloupe {

namespace {
constexpr const char* kByteName = "latin1";
}

nlohmann::ordered_json toJsonName(const std::string& name) {
    if (fromUtf8(name))
        return name;
    return {{kByteName, toUtf8(utf8OrLatin1(name))}};
}

bool isByteName(const nlohmann::ordered_json& value) {
    return value.is_object() && value.size() == 1 && value.contains(kByteName) &&
           value.at(kByteName).is_string();
}

std::string fromJsonName(const nlohmann::ordered_json& value, const std::string& what, std::size_t most) {
    const auto bounded = [&](std::string name) {
        if (name.size() > most)
            throw EngineError(fmt::format("{} has a name of more than {} bytes.", what, most),
                              "Use a shorter name.");
        return name;
    };
    if (value.is_string())
        return bounded(value.get<std::string>());
    if (!isByteName(value))
        throw EngineError(what + " has a value other than text where a name is expected.",
                          "Write the name as plain text in its place.");
    std::string name;
    for (const char32_t sign : utf8OrLatin1(value.at(kByteName).get<std::string>())) {
        if (sign > 0xff)
            throw EngineError(what + " has a name marked as latin1 with a character outside Latin-1.",
                              "Write the name as plain text in its place.");
        name += static_cast<char>(sign);
    }
    return bounded(std::move(name));
}

} // namespace scanloupe
