#include "tests/support/bad_scans.h"

#include <fmt/format.h>

namespace scanloupe::test {

std::vector<BadScan> unreadableScans() {
    std::vector<BadScan> scans{
        {"missing", "missing.ply", std::nullopt, "missing.ply"},
        {"not a number of points", "claim.ply", plyOf("many", 10), "claim.ply"},
        {"negative points", "negative.ply", plyOf("-5", 10), "negative.ply"},
        {"header without an end", "endless.ply", "ply\nformat ascii 1.0\nelement vertex 3\n", "endless.ply"},
        {"noise", "noise.pcd", "\x01\x02\x03\xff\xfe nothing of the kind", "noise.pcd"},
        {"words", "words.txt", "there are no numbers in here\nnot in any line\n", "words.txt"},
        {"no finite point", "nan.xyz", "nan nan nan\nnan 1 2\n", "finite"}};
    for (const char* ending : {"ply", "pcd", "bin", "txt", "csv", "raw"})
        scans.push_back({ending, std::string("empty.") + ending, "", "empty"});
    return scans;
}

std::string textPoints(int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
        text += fmt::format("{:.2f} {:.2f} {:.2f}\n", i * 0.01, (i % 7) * 0.01, (i % 5) * 0.01);
    return text;
}

std::string plyOf(const std::string& claimed, int held) {
    std::string ply = "ply\nformat binary_little_endian 1.0\nelement vertex " + claimed +
                      "\nproperty float x\nproperty float y\nproperty float z\nend_header\n";
    for (int i = 0; i < held; ++i) {
        const float point[3] = {float(i) * 0.01f, float(i % 7) * 0.01f, float(i % 5) * 0.01f};
        ply.append(reinterpret_cast<const char*>(point), sizeof point);
    }
    return ply;
}

} // namespace scanloupe::test
