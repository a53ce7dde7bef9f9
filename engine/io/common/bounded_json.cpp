// Parses JSON after checking its nesting depth, and writes JSON.
#include "engine/io/common/bounded_json.h"

#include "engine/cloud/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

namespace scanloupe {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxDepth = 64;
/// Maximum memory of the parsed values, in bytes. Small values need up to 24 times the size of their text. A
/// document of kMaxDocumentBytes with coordinates of brush strokes needs 600 MiB.
constexpr std::uint64_t kMaxMemory = std::uint64_t{1} << 30;
constexpr std::size_t kMaxMessage = 200; // maximum length of the parser's message, which quotes the text

/// Returns the nesting depth of brackets outside string literals. Stops at the first bracket beyond the
/// limit.
std::size_t deepestNesting(std::string_view text) {
    std::size_t depth = 0, deepest = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size() && deepest <= kMaxDepth; ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\')
                ++i; // an escaped quote does not end the string
            else if (c == '"')
                inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '[' || c == '{') {
            deepest = std::max(deepest, ++depth);
        } else if (c == ']' || c == '}') {
            depth -= depth > 0 ? 1 : 0; // the parser reports unbalanced brackets
        }
    }
    return deepest;
}

/// Builds the value from the parser's events in linear time. ordered_json itself compares each key with all
/// previous keys. As in ordered_json, the last of several equal keys is used.
class Builder : public nlohmann::json_sax<Json> {
public:
    Json take() { return std::move(m_root); }
    const std::string& problem() const { return m_problem; }
    bool isTooLarge() const { return m_memory > kMaxMemory; }

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }
    bool number_unsigned(number_unsigned_t value) override { return add(value); }
    bool number_float(number_float_t value, const string_t&) override { return add(value); }
    bool string(string_t& value) override {
        const std::size_t bytes = sizeof(value) + value.capacity();
        return add(std::move(value), bytes);
    }
    bool binary(binary_t& value) override { return add(std::move(value)); }
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool key(string_t& value) override {
        m_open.back().key = std::move(value);
        return true;
    }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override {
        m_problem = jsonProblem(error);
        return false;
    }

private:
    struct Open {
        Json value;
        std::string key;                                      ///< key of the next member
        std::unordered_map<std::string, std::size_t> members; ///< indices of the members by key
    };
    bool open(Json empty) {
        if (isTooLarge())
            return false;
        m_open.push_back({std::move(empty), {}, {}});
        return true;
    }
    bool close() {
        Json value = std::move(m_open.back().value);
        m_open.pop_back();
        return add(std::move(value), kContainer);
    }
    /// @param more additional bytes that the value has on the heap @returns false above the memory limit
    bool add(Json value, std::size_t more = 0) {
        m_memory += sizeof(Json) + more;
        if (isTooLarge())
            return false;
        if (m_open.empty()) {
            m_root = std::move(value);
            return true;
        }
        Open& last = m_open.back();
        if (last.value.is_array()) {
            last.value.get_ref<Json::array_t&>().push_back(std::move(value));
            return true;
        }
        Json::object_t::Container& members = last.value.get_ref<Json::object_t&>();
        const auto [known, isNew] = last.members.try_emplace(last.key, members.size());
        if (isNew) {
            m_memory += sizeof(std::string) + last.key.size();
            members.emplace_back(std::move(last.key), std::move(value));
        } else
            members[known->second].second = std::move(value);
        return true;
    }

    static constexpr std::size_t kContainer = 56; // bytes on the heap, including the allocator's overhead

    std::vector<Open> m_open;
    std::uint64_t m_memory = 0; ///< bytes of all values
    Json m_root;
    std::string m_problem;
};

std::string compact(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void append(const Json& json, std::size_t indent, std::string& out) {
    const bool isLong =
        json.is_object() || (json.is_array() && std::ranges::any_of(json, &Json::is_structured));
    if (!isLong || json.empty()) {
        out += compact(json);
        return;
    }
    const std::string line = '\n' + std::string(indent + 2, ' ');
    const char* separator = "";
    out += json.is_object() ? '{' : '[';
    for (auto member = json.begin(); member != json.end(); ++member, separator = ",") {
        out += separator;
        out += line;
        if (json.is_object()) {
            out += compact(member.key()) + ": ";
            append(*member, indent + 2, out);
        } else {
            out += compact(*member);
        }
    }
    out += line.substr(0, indent + 1);
    out += json.is_object() ? '}' : ']';
}

} // namespace

std::string jsonProblem(const std::exception& error) {
    const std::string_view text = error.what();
    const std::size_t codes = text.starts_with("[json.exception.") ? text.find("] ") : std::string_view::npos;
    const std::string_view words = codes == std::string_view::npos ? text : text.substr(codes + 2);
    constexpr std::string_view with = " with ";
    if (words.starts_with("cannot use ") &&
        words.find(with) != std::string_view::npos) // the message contains names of
                                                    // the parser's functions
        return fmt::format("it has a value of type {} where a list or an object is expected",
                           words.substr(words.rfind(with) + with.size()));
    return std::string(words);
}

std::string readableJson(const Json& json) {
    std::string text;
    append(json, 0, text);
    return text + '\n';
}

void requireReadableSize(std::string_view text, const std::string& what) {
    if (text.size() > kMaxDocumentBytes)
        throw EngineError(
            fmt::format("{} has {} MiB, more than the maximum of {} MiB.", what, (text.size() >> 20) + 1,
                        kMaxDocumentBytes >> 20),
            "Remove edits that are no longer needed, or save the points and continue with those.");
}

Json parseBoundedJson(std::string_view text, const std::string& what) {
    if (deepestNesting(text) > kMaxDepth)
        throw EngineError(fmt::format("{} can't be read: its brackets are nested more than {} levels deep.",
                                      what, kMaxDepth),
                          "Check that it is the right file, or write it again.");
    Builder builder;
    if (Json::sax_parse(text, &builder))
        return builder.take();
    if (builder.isTooLarge())
        throw EngineError(fmt::format("{} can't be read: its values take more than {} MiB of memory.", what,
                                      kMaxMemory >> 20),
                          "Check that it is the right file, or write it again with fewer values.");
    std::string why = builder.problem();
    if (why.size() > kMaxMessage)
        why = why.substr(0, kMaxMessage) + " ...";
    throw EngineError(fmt::format("{} can't be read: {}.", what, why),
                      "Correct the text, or write the file again.");
}

} // namespace scanloupe
