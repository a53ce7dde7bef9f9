#pragma once
// Checks the ending of a file to be written.
#include "engine/cloud/error.h"
#include "engine/io/file_kind.h"

#include <algorithm>
#include <string>
#include <vector>

namespace scanloupe {

/// The target's ending in lower case. @throws EngineError when it is none of `known`
inline std::string requireEnding(const std::filesystem::path& target, const std::vector<std::string>& known,
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
