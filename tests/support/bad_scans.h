#pragma once
// Scans that people give by mistake, made by hand; what both the command line and the window must tell.
#include <optional>
#include <string>
#include <vector>

namespace scanloupe::test {

struct BadScan {
    const char* what;
    std::string name;                   ///< of its file
    std::optional<std::string> content; ///< nothing: there is no such file
    std::string mention;                ///< what the sentence has to name
};
/// Files that can't be read at all.
std::vector<BadScan> unreadableScans();

/// A line of points, 1 cm apart, as text.
std::string textPoints(int count);
/// A binary PLY that claims `claimed` points and holds `held`.
std::string plyOf(const std::string& claimed, int held);

} // namespace scanloupe::test
