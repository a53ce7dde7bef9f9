#pragma once
// Parses JSON of untrusted files with a limit of nesting depth, since code that walks the result recurses
// once for each level. Writes JSON that is within the limits of its readers.
#include <cstdint>
#include <exception>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace scanloupe {

/// Parses `text` in linear time; `what` names it in messages: "The recipe 'car.json'". The last of equal keys
/// wins. @throws EngineError when it is not JSON, or brackets are nested more than 64 deep
nlohmann::ordered_json parseBoundedJson(std::string_view text, const std::string& what);

/// Describes the problem with a value or its text: the message of a parser's exception without its codes.
std::string jsonProblem(const std::exception& error);

/// The limit of projects and recipes, for their readers and their writers: hundreds of thousands of edits.
inline constexpr std::uint64_t kMaxDocumentBytes = std::uint64_t{1} << 28;

/// JSON with a member of an object on each line, and an element of an array: long lists stay small and can
/// be compared line by line. Invalid UTF-8 is replaced.
std::string readableJson(const nlohmann::ordered_json& json);
/// @param what names the document in the message: "The project"
/// @throws EngineError when `text` is longer than kMaxDocumentBytes, so that it could not be read again
void requireReadableSize(std::string_view text, const std::string& what);

} // namespace scanloupe
