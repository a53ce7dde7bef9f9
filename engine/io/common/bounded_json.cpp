// Parses JSON after a scan for nesting depth and object size.
#include "engine/io/common/bounded_json.h"

#include "engine/cloud/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace scanloupe {

namespace {

constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxMembers = 16384; // ordered_json compares each key with all keys before it
constexpr std::size_t kMaxMessage = 200;   // characters of the parser's message, which quotes the text

struct JsonExtent {
    std::size_t deepest = 0; ///< nesting depth of brackets
    std::size_t members = 0; ///< of the largest object
    bool allowed() const { return deepest <= kMaxDepth && members <= kMaxMembers; }
};

/// Measures nesting and object sizes outside of string literals. Stops at the first value beyond the limits.
JsonExtent measureExtent(std::string_view text) {
    JsonExtent extent;
    std::size_t depth = 0, members[kMaxDepth + 2] = {}; // by depth, of the open brackets
    bool inString = false;
    for (std::size_t i = 0; i < text.size() && extent.allowed(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\')
                ++i; // an escaped quote does not end the string
            else if (c == '"')
                inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '[' || c == '{') {
            extent.deepest = std::max(extent.deepest, ++depth);
            members[depth] = 0;
        } else if (c == ']' || c == '}') {
            depth -= depth > 0 ? 1 : 0; // the parser reports unbalanced brackets
        } else if (c == ':') {
            extent.members = std::max(extent.members, ++members[depth]);
        }
    }
    return extent;
}

} // namespace

nlohmann::ordered_json parseBoundedJson(std::string_view text, const std::string& what) {
    const JsonExtent extent = measureExtent(text);
    if (extent.members > kMaxMembers)
        throw EngineError(
            fmt::format("{} can't be read: an object has more than {} members.", what, kMaxMembers),
            "Look whether it is the right file, or write it anew.");
    if (extent.deepest > kMaxDepth)
        throw EngineError(
            fmt::format("{} can't be read: its brackets are nested more than {} deep.", what, kMaxDepth),
            "Look whether it is the right file, or write it anew.");
    try {
        return nlohmann::ordered_json::parse(text);
    } catch (const nlohmann::json::exception& error) {
        std::string why = error.what();
        if (why.size() > kMaxMessage)
            why = why.substr(0, kMaxMessage) + " ...";
        throw EngineError(fmt::format("{} can't be read: {}.", what, why),
                          "Correct it there, or write it anew.");
    }
}

} // namespace scanloupe
