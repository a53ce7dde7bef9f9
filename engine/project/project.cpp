// Reads and writes project files, and finds scans and models that were moved.
#include "engine/project/project.h"

#include "engine/cloud/error.h"
#include "engine/io/common/bounded_json.h"
#include "engine/io/common/input_file.h"
#include "engine/io/writers.h"
#include "engine/project/project_models.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <system_error>

namespace scanloupe {

namespace fs = std::filesystem;

namespace {

constexpr int kDeepest = 4; // depth of the subfolders that are searched for moved scans

bool isThere(const fs::path& path) {
    std::error_code unknown;
    return fs::exists(path, unknown);
}

/// Returns the number of trailing folders that have the same names in both paths.
std::size_t sameFolders(const fs::path& a, const fs::path& b) {
    const std::vector<fs::path> inA(a.begin(), a.end()), inB(b.begin(), b.end());
    const auto differ = std::mismatch(inA.rbegin(), inA.rend(), inB.rbegin(), inB.rend());
    return std::size_t(differ.first - inA.rbegin());
}

/// Finds the file of the same name whose folders are most similar. Returns the end if two files are equally
/// similar, which is ambiguous.
std::vector<fs::path>::iterator bestMatch(const fs::path& lost, std::vector<fs::path>& files) {
    auto best = files.end();
    std::size_t most = 0;
    bool isUnique = true;
    for (auto file = files.begin(); file != files.end(); ++file) {
        const std::size_t same = sameFolders(lost, *file);
        if (same == 0 || same < most)
            continue;
        isUnique = same > most;
        most = same;
        best = file;
    }
    return isUnique ? best : files.end();
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
    return projectFromJson(readSmallFile(path, kMaxDocumentBytes), folder);
}

void writeProject(const fs::path& path, const Project& project, const std::stop_token& stop) {
    const std::string text = toJson(project, fs::absolute(path).parent_path());
    requireReadableSize(text, "The project");
    writeAtomically(
        path, [&](std::ostream& out) { out << text; }, stop);
}

std::vector<fs::path> missingScans(const Project& project) {
    std::vector<fs::path> missing;
    for (const ProjectScan& scan : project.scans) {
        if (!scan.sample && !isThere(scan.path))
            missing.push_back(scan.path);
    }
    return missing;
}

std::vector<fs::path> missingModels(const Project& project) {
    std::vector<fs::path> missing;
    for (const std::string& model : modelsOf(project)) {
        if (!isThere(model))
            missing.emplace_back(model);
    }
    return missing;
}

std::size_t findMissingFiles(Project& project, const fs::path& folder) {
    std::set<fs::path> wanted, used;
    for (const ProjectScan& scan : project.scans) {
        if (scan.sample)
            continue;
        if (isThere(scan.path))
            used.insert(scan.path);
        else
            wanted.insert(scan.path.filename());
    }
    for (const fs::path& model : missingModels(project))
        wanted.insert(model.filename());
    std::vector<fs::path> found; // files in the folder that have the name of a missing file
    std::error_code unknown;
    const auto isScan = [](const fs::path& path) { // a file, or the folder of a survey
        std::error_code none;
        return fs::is_regular_file(path, none) || fs::is_directory(path, none);
    };
    if (wanted.contains(folder.filename()) && !used.contains(folder))
        found.push_back(folder);
    fs::recursive_directory_iterator files(folder, fs::directory_options::skip_permission_denied, unknown);
    for (; !unknown && files != fs::recursive_directory_iterator(); files.increment(unknown)) {
        if (files.depth() >= kDeepest)
            files.disable_recursion_pending();
        if (wanted.contains(files->path().filename()) && !used.contains(files->path()) &&
            isScan(files->path()))
            found.push_back(files->path());
    }
    // models come first, because the search for scans removes found files from the list, and a file may be
    // both
    std::map<std::string, std::string> models;
    for (const fs::path& model : missingModels(project))
        if (const auto best = bestMatch(model, found); best != found.end())
            models[model.string()] = best->string();
    moveModels(project, [&](const std::string& model) {
        const auto moved = models.find(model);
        return moved == models.end() ? model : moved->second;
    });
    std::size_t count = models.size();
    for (ProjectScan& scan : project.scans) {
        if (isThere(scan.path))
            continue;
        const auto best = bestMatch(scan.path, found);
        if (best == found.end())
            continue;
        scan.path = *best;
        found.erase(best);
        ++count;
    }
    return count;
}

} // namespace scanloupe
