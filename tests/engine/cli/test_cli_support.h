#pragma once
// Shared by the tests of the command line: runs it, and checks its messages and files.
#include "engine/cli/command_line.h"
#include "tests/support/test_support.h"

#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

namespace scanloupe::test {

using Json = nlohmann::json;

struct CliResult {
    int code = -1;
    std::string out, err;
};

inline CliResult cli(const std::vector<std::string>& arguments, const std::stop_token& stop = {}) {
    std::ostringstream out, err;
    CliResult result;
    result.code = runCommandLine(arguments, out, err, stop);
    result.out = out.str();
    result.err = err.str();
    return result;
}

inline std::string readFile(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

inline void writeFile(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

inline Json readJson(const std::filesystem::path& path) {
    return Json::parse(readFile(path));
}

/// Names of all entries of a folder, used to detect leftovers.
inline std::set<std::string> namesIn(const std::filesystem::path& folder) {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        names.insert(entry.path().filename().string());
    return names;
}

/// The first line of the doctor's report that states a problem without a next step; empty if there is none.
inline std::string missingWithoutAdvice(const std::string& report) {
    std::istringstream lines(report);
    std::string line, advice;
    while (std::getline(lines, line))
        if (line.starts_with("--") && !(std::getline(lines, advice) && advice.starts_with("      ")))
            return line;
    return {};
}

/// Explains why `result` is not a valid user error: exit code 2, "scanloupe-cli: sentence", and a next step
/// on a separate line, one of which contains `mention`. Empty for a valid error.
inline std::string notAUserError(const CliResult& result, const std::string& mention) {
    const std::string lead = "scanloupe-cli: ";
    const std::size_t at = result.err.rfind(lead);
    if (result.code != exitUserError)
        return fmt::format("exit code {}: {}", result.code, result.err);
    if (at == std::string::npos)
        return "no sentence: " + result.err;
    const std::string told = result.err.substr(at);
    const std::size_t lineEnd = told.find('\n');
    if (lineEnd < lead.size() + 10)
        return "a short sentence: " + told;
    if (told.size() < lineEnd + 12 || told.substr(lineEnd + 1, 2) != "  ")
        return "no next step: " + told;
    if (told.find(mention) == std::string::npos)
        return "\"" + mention + "\" is not told: " + told;
    return {};
}

/// A scratch folder for each test program, with a small scan.
class CliFixture {
public:
    explicit CliFixture(std::uint64_t points = 20000) {
        const auto made =
            cli({"synth", path("scan.ply"), "--scene", "room", "--points", std::to_string(points)});
        if (made.code != 0)
            qFatal("no scan for the test: %s", made.err.c_str());
    }
    std::string path(const std::string& name) const { return m_folder.path().toStdString() + "/" + name; }
    std::string scan() const { return path("scan.ply"); }
    std::string folder() const { return m_folder.path().toStdString(); }

private:
    QTemporaryDir m_folder;
};

} // namespace scanloupe::test

#define SCANLOUPE_VERIFY_USER_ERROR(result, mention)                                                         \
    do {                                                                                                     \
        const std::string why = scanloupe::test::notAUserError(result, mention);                             \
        QVERIFY2(why.empty(), why.c_str());                                                                  \
    } while (false)
