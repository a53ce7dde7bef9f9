// Reads and writes project files, and finds scans that were moved.
#include "engine/project/project.h"

#include "engine/cloud/error.h"
#include "engine/io/common/input_file.h"
#include "engine/io/writers.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <system_error>

namespace scanloupe {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20; // some twenty thousand scans and steps
constexpr int kDeepest = 4;                                   // subfolders that are searched for moved scans

bool isThere(const fs::path& path) {
    std::error_code unknown;
    return fs::exists(path, unknown);
}

} // namespace

bool isProjectFile(const fs::path& path) {
    std::error_code unknown;
    if (!fs::is_regular_file(path, unknown))
        return false;
    std::ifstream file(path, std::ios::binary);
    std::string begin(64, '\0');
    file.read(begin.data(), std::streamsize(begin.size()));
    begin.resize(std::size_t(file.gcount()));
    std::erase_if(begin,
                  [](char sign) { return sign == ' ' || sign == '\n' || sign == '\r' || sign == '\t'; });
    return begin.starts_with("{\"scanloupe_project\":");
}

Project readProject(const fs::path& path) {
    const fs::path folder = fs::absolute(path).parent_path();
    return projectFromJson(readSmallFile(path, kMostBytes), folder);
}

void writeProject(const fs::path& path, const Project& project, const std::stop_token& stop) {
    const std::string text = toJson(project, fs::absolute(path).parent_path());
    writeAtomically(
        path, [&](std::ostream& out) { out << text; }, stop);
}

std::vector<fs::path> missingScans(const Project& project) {
    std::vector<fs::path> missing;
    for (const ProjectScan& scan : project.scans) {
        if (!isThere(scan.path))
            missing.push_back(scan.path);
    }
    return missing;
}

std::size_t findMissingScans(Project& project, const fs::path& folder) {
    std::multimap<fs::path, ProjectScan*> wanted;
    for (ProjectScan& scan : project.scans) {
        if (!isThere(scan.path))
            wanted.emplace(scan.path.filename(), &scan);
    }
    std::size_t found = 0;
    std::error_code unknown;
    fs::recursive_directory_iterator files(folder, fs::directory_options::skip_permission_denied, unknown);
    for (; !unknown && files != fs::recursive_directory_iterator() && !wanted.empty();
         files.increment(unknown)) {
        if (files.depth() >= kDeepest)
            files.disable_recursion_pending();
        const auto named = wanted.find(files->path().filename());
        std::error_code noFile;
        if (named == wanted.end() || !fs::is_regular_file(files->path(), noFile))
            continue;
        named->second->path = files->path();
        wanted.erase(named);
        ++found;
    }
    return found;
}

} // namespace scanloupe
