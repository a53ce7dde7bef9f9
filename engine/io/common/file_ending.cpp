// Extracts and checks file extensions.
#include "engine/io/common/file_ending.h"

#include "engine/cloud/error.h"

#include <algorithm>

namespace scanloupe {

std::string lowerCase(std::string text) {
    for (char& c : text)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return text;
}

std::string lowerEnding(const std::filesystem::path& path) {
    return lowerCase(path.extension().string());
}

void refuseCopcName(const std::filesystem::path& target) {
    if (!lowerCase(target.filename().string()).ends_with(".copc.laz"))
        return;
    std::filesystem::path plain = target;
    plain.replace_extension().replace_extension(".laz");
    throw EngineError("'" + target.string() + "' is the name of a COPC file, a format that can't be written",
                      "Write plain LAZ, as '" + plain.string() +
                          "', and convert it to COPC with Untwine or PDAL's writers.copc.");
}

std::string requireEnding(const std::filesystem::path& target, const std::vector<std::string>& known,
                          const std::string& what) {
    refuseCopcName(target);
    std::string ending = lowerEnding(target);
    if (std::find(known.begin(), known.end(), ending) != known.end())
        return ending;
    std::string list;
    for (const auto& one : known) {
        if (!list.empty())
            list += ", ";
        list += one;
    }
    throw EngineError("'" + target.string() + "' has no extension that " + what + " can be written to",
                      "Choose one of " + list + ".");
}

} // namespace scanloupe
