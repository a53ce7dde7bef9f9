// Copies input from pipes to temporary files.
#include "engine/cli/output/piped_inputs.h"

#include "engine/cloud/error.h"
#include "engine/io/common/output_target.h"
#include "engine/io/formats.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <poll.h>
#include <regex>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace scanloupe::cli {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> inputEndings() {
    std::vector<std::string> endings = scanEndings();
    endings.emplace_back(".json");
    return endings;
}

/// Whether a PipedInputs object has created this file in its folder. A copy of a pipe is named after its
/// descriptor; a link has the ending of an input format.
bool isCopyOrLink(const fs::path& path) {
    static const std::regex copy(R"((stdin|fd[0-9]+)(\.[a-z0-9.]+)?)");
    const std::string name = path.filename().string();
    std::error_code unknown;
    if (!fs::is_symlink(path, unknown))
        return std::regex_match(name, copy);
    return std::ranges::any_of(inputEndings(), [&](const std::string& end) { return name.ends_with(end); });
}

/// Copies all bytes of a descriptor to a stream. @throws EngineError; Cancelled
void copyAll(int descriptor, const std::string& named, std::ostream& out, const std::stop_token& stop) {
    constexpr int pollMs = 50; // upper bound of the delay after a stop request
    std::vector<char> block(std::size_t{1} << 20);
    while (true) {
        if (stop.stop_requested())
            throw Cancelled();
        ::pollfd waiting{descriptor, POLLIN, 0};
        if (::poll(&waiting, 1, pollMs) <= 0) // also reached when a signal interrupts poll()
            continue;
        const ::ssize_t got = ::read(descriptor, block.data(), block.size());
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (got < 0)
            throw EngineError(fmt::format("The pipe '{}' can't be read: {}.", named, std::strerror(errno)),
                              "Check that the program that writes to the pipe is running.");
        if (got == 0 || !out)
            return;
        out.write(block.data(), got);
    }
}

} // namespace

fs::path PipedInputs::inFolder(const std::string& name) {
    if (!m_folder) {
        std::error_code none;
        const fs::path prefix = fs::temp_directory_path(none) / "scanloupe-";
        const EngineError failure("No writable folder for temporary files was found.",
                                  "Set the environment variable TMPDIR to a writable folder.");
        if (none)
            throw failure;
        ScratchFolder::removeAbandoned(prefix, isCopyOrLink);
        try {
            m_folder.emplace(prefix, isCopyOrLink);
        } catch (const EngineError&) {
            throw failure;
        }
    }
    return m_folder->path() / name;
}

fs::path PipedInputs::copyOf(int descriptor, const std::string& named, const std::string& ending) {
    if (::isatty(descriptor) == 1)
        throw EngineError(fmt::format("'{}' is a terminal, but a file is expected.", named),
                          "Redirect a file to it, as in: scanloupe-cli info - < SCAN.ply");
    fs::path copy = inFolder((descriptor == 0 ? "stdin" : fmt::format("fd{}", descriptor)) + ending);
    if (!m_names.emplace(copy.string(), named).second)
        return copy;
    std::ofstream out(copy, std::ios::binary);
    copyAll(descriptor, named, out, m_stop);
    if (!out.flush())
        throw EngineError(fmt::format("The input '{}' could not be copied to '{}'; the disk may be full.",
                                      named, m_folder->path().string()),
                          "Set the environment variable TMPDIR to a folder with more free space.");
    return copy;
}

fs::path PipedInputs::file(const std::string& named) {
    const NamedFormat format = splitFormat(named, inputEndings());
    fs::path path = format.file == "-" ? "/dev/stdin" : format.file;
    struct ::stat info {};
    if (named.empty() || (::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)))
        return path;
    const int descriptor = descriptorOf(path);
    std::error_code unknown;
    const fs::path real = fs::canonical(path, unknown);
    const bool isFile = !unknown && S_ISREG(info.st_mode) && fs::exists(real);
    if (descriptor >= 0 && !isFile)
        return copyOf(descriptor, named, format.ending);
    if (format.ending.empty())
        return descriptor >= 0 ? real : path;
    const fs::path target = isFile ? real : fs::absolute(path, unknown);
    for (int number = 1;; ++number) { // files from different folders may have the same name
        const std::string more = number > 1 ? fmt::format("-{}", number) : "";
        fs::path link =
            inFolder(target.stem().string() + more + format.ending); // the ending selects the reader
        if (!m_names.emplace(link.string(), named).second) {
            if (fs::read_symlink(link, unknown) == target)
                return link;
            continue;
        }
        fs::create_symlink(target, link, unknown);
        if (unknown)
            throw EngineError(
                fmt::format("A link to '{}' with the named format as extension could not be created: {}.",
                            named, unknown.message()),
                "Rename the file so that its extension matches its format.");
        return link;
    }
}

std::string PipedInputs::shown(const fs::path& path) const {
    const auto known = m_names.find(path.string());
    return known == m_names.end() ? path.string() : known->second;
}

} // namespace scanloupe::cli
