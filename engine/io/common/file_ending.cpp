// Tells and checks the extensions of file names.
#include "engine/io/common/file_ending.h"

#include "engine/cloud/error.h"

#include <algorithm>
#include <cctype>

namespace scanloupe {

std::string lowerEnding(const std::filesystem::path& path) {
    std::string ending = path.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ending;
}

std::string requireEnding(const std::filesystem::path& target, const std::vector<std::string>& known,
                          const std::string& what) {
    std::string ending = lowerEnding(target);
    if (std::find(known.begin(), known.end(), ending) != known.end())
        return ending;
    std::string list;
    for (const auto& one : known) {
        if (!list.empty())
            list += ", ";
        list += one;
    }
    throw EngineError("'" + target.string() + "' has no ending that " + what + " can be written to",
                      "Choose one of " + list + ".");
}

} // namespace scanloupe
