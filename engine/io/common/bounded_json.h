#pragma once
// Declares the parser for JSON from untrusted files. It limits the nesting depth, since code that traverses
// the result is recursive. Also declares writing of JSON within the limits of the parser.
#include <cstdint>
#include <exception>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace scanloupe {

/// Parses `text` in linear time. The last of several equal keys is used. @param what names the document in
/// messages, e.g. "The recipe 'car.json'" @throws EngineError if the text is not JSON, or brackets are nested
/// more than 64 levels deep
nlohmann::ordered_json parseBoundedJson(std::string_view text, const std::string& what);

/// Returns the message of a JSON exception without its error codes.
std::string jsonProblem(const std::exception& error);

/// Maximum size of projects and recipes for reading and writing, bytes; sufficient for hundreds of thousands
/// of edits.
inline constexpr std::uint64_t kMaxDocumentBytes = std::uint64_t{1} << 28;

/// Formats JSON with one line per object member or array element, so that documents can be compared line by
/// line. Invalid UTF-8 is replaced.
std::string readableJson(const nlohmann::ordered_json& json);
/// @param what names the document in the message, e.g. "The project"
/// @throws EngineError if `text` is longer than kMaxDocumentBytes and could not be read again
void requireReadableSize(std::string_view text, const std::string& what);

} // namespace scanloupe
