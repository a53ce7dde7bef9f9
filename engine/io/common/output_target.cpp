// Parses the names of outputs.
#include "engine/io/common/output_target.h"

#include "engine/cloud/error.h"
#include "engine/io/common/file_ending.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace scanloupe {

namespace fs = std::filesystem;

NamedFormat splitFormat(const std::string& text, const std::vector<std::string>& endings) {
    const std::size_t colon = text.find(':');
    std::error_code unknown;
    if (colon == std::string::npos || colon + 1 == text.size() || fs::exists(text, unknown))
        return {"", text};
    const std::string ending = "." + lowerCase(text.substr(0, colon));
    if (std::ranges::find(endings, ending) == endings.end())
        return {"", text};
    return {ending, text.substr(colon + 1)};
}

fs::path outputPath(const std::string& file) {
    return file == "-" ? "/dev/stdout" : file;
}

bool isDescriptor(const fs::path& path) {
    return descriptorOf(path) >= 0;
}

int descriptorOf(const fs::path& path) {
    const std::string text = path.string();
    constexpr const char* streams[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
    for (int i = 0; i < 3; ++i)
        if (text == streams[i])
            return i;
    for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
        if (!text.starts_with(folder))
            continue;
        int number = -1;
        const char* end = text.data() + text.size();
        const auto [at, error] = std::from_chars(text.data() + folder.size(), end, number);
        if (error == std::errc() && at == end)
            return number;
    }
    return -1;
}

OutputTarget outputTarget(const std::string& text, const std::vector<std::string>& endings,
                          std::string_view usual) {
    const NamedFormat named = splitFormat(text, endings);
    OutputTarget target{outputPath(named.file), named.ending};
    if (target.ending.empty()) {
        refuseCopcName(target.path); // with a format prefix, the file may be a plain LAZ with that name
        target.ending = isDescriptor(target.path) ? std::string(usual) : lowerEnding(target.path);
    }
    if (target.ending.empty() && isDescriptor(target.path))
        throw EngineError(fmt::format("The format of '{}' is unknown.", text),
                          fmt::format("Prefix the name with the format, as in {}:{}. Known formats: {}.",
                                      endings.front().substr(1), text, fmt::join(endings, ", ")));
    if (std::ranges::find(endings, target.ending) == endings.end())
        throw EngineError(fmt::format("Files with the extension of '{}' can't be written here.", text),
                          fmt::format("Use one of {}.", fmt::join(endings, ", ")));
    return target;
}

} // namespace scanloupe
