#pragma once
// Declares the tree of a coordinate system's well-known text.
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

/// KEYWORD["name", 0.3048, CHILD[...], ...], of OGC 01-009 (WKT 1) and ISO 19162 (WKT 2).
struct WktNode {
    std::string keyword;             ///< in capitals
    std::vector<std::string> values; ///< texts without quotes, numbers and words, in their order
    std::vector<WktNode> children;

    /// The first child with one of these keywords; null if there is none.
    const WktNode* child(std::span<const std::string_view> keywords) const;
    std::string_view name() const { return values.empty() ? std::string_view() : values.front(); }
};

/// None for what is no well-known text, or is nested too deeply. Text that breaks off gives what was there.
std::optional<WktNode> parseWkt(std::string_view text);

} // namespace scanloupe
