#include "engine/io/bounded_json.h"

#include "engine/cloud/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace scanloupe {

namespace {

constexpr int kDeepest = 64;
constexpr std::size_t kLongest = 200; // of the parser's words, which quote the text

/// The deepest nesting of brackets that stand outside of strings, up to one beyond what is allowed.
int nesting(std::string_view text) {
    int depth = 0, deepest = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size() && deepest <= kDeepest; ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\')
                ++i; // what follows is no end of the string
            else if (c == '"')
                inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '[' || c == '{') {
            deepest = std::max(deepest, ++depth);
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return deepest;
}

} // namespace

nlohmann::ordered_json parseBoundedJson(std::string_view text, const std::string& what) {
    if (nesting(text) > kDeepest)
        throw EngineError(
            fmt::format("{} can't be read: its brackets are nested more than {} deep.", what, kDeepest),
            "Look whether it is the right file, or write it anew.");
    try {
        return nlohmann::ordered_json::parse(text);
    } catch (const nlohmann::json::exception& error) {
        std::string why = error.what();
        if (why.size() > kLongest)
            why = why.substr(0, kLongest) + " ...";
        throw EngineError(fmt::format("{} can't be read: {}.", what, why),
                          "Correct it there, or write it anew.");
    }
}

} // namespace scanloupe
