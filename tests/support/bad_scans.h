#pragma once
// Hand-made scans with typical mistakes of users, and the expected messages of the command line and the
// window.
#include <optional>
#include <string>
#include <vector>

namespace scanloupe::test {

struct BadScan {
    const char* what;
    std::string name;                   ///< name of its file
    std::optional<std::string> content; ///< content of the file; none: the file is missing
    std::string mention;                ///< text that the message must contain
};
/// Files that can't be read at all.
std::vector<BadScan> unreadableScans();

/// A line of points, 1 cm apart, as text.
std::string textPoints(int count);
/// A binary PLY that claims `claimed` points, but has `held`.
std::string plyOf(const std::string& claimed, int held);

} // namespace scanloupe::test
