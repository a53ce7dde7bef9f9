// Replaces files atomically, and writes to devices and pipes in place.
#include "engine/io/common/write/write_atomically.h"

#include "engine/cloud/error.h"
#include "engine/io/common/output_target.h"
#include "engine/io/common/write/descriptor_buffer.h"
#include "engine/io/common/write/file_metadata.h"
#include "engine/io/common/write/temporary_file.h"
#include "engine/io/common/write/write_failure.h"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace scanloupe {

namespace {

using detail::throwWriteFailure;

/// Opens a device or a pipe, which can't be replaced. Does not block, so that a stop request is noticed while
/// a pipe has no reader. If stopping is not possible, gives up after two seconds.
int openInPlace(const std::filesystem::path& target, bool isPipe, const std::stop_token& stop) {
    constexpr std::chrono::milliseconds pollInterval{20}, timeout{2000};
    std::chrono::milliseconds waited{0};
    while (true) {
        const int descriptor = ::open(target.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
        if (descriptor >= 0)
            return descriptor;
        const bool hasNoReader = isPipe && errno == ENXIO;
        if (!hasNoReader && errno != EINTR)
            throwWriteFailure(target, errno);
        if (stop.stop_requested())
            throw Cancelled();
        if (!stop.stop_possible() && waited >= timeout)
            throw EngineError("'" + target.string() + "' can't be written: the pipe has no reader",
                              "Start the program that reads it first.");
        std::this_thread::sleep_for(pollInterval);
        waited += pollInterval;
    }
}

void writeTo(int descriptor, const std::filesystem::path& target,
             const std::function<void(std::ostream&)>& write, bool toDisk, const std::stop_token& stop) {
    detail::DescriptorBuffer buffer(descriptor, target, stop);
    std::ostream stream(&buffer);
    stream.exceptions(std::ios::badbit); // rethrows exceptions of the buffer
    write(stream);
    buffer.finish(toDisk);
}

} // namespace

std::filesystem::path resolveTarget(const std::filesystem::path& target) {
    constexpr int most = 40; // maximum number of links that Linux follows
    std::filesystem::path file = target;
    for (int links = 0; links < most; ++links) {
        std::error_code noLink;
        const std::filesystem::path next = std::filesystem::read_symlink(file, noLink);
        if (noLink)
            return file;
        file = file.parent_path() / next; // an absolute link replaces the folder
    }
    throwWriteFailure(target, ELOOP);
}

void writeAtomically(const std::filesystem::path& target, const std::function<void(std::ostream&)>& write,
                     const std::stop_token& stop) {
    if (!target.has_filename())
        throw EngineError("'" + target.string() + "' is not a valid file name",
                          "Give a file name after the folder.");
    struct stat info {};
    const bool exists = ::stat(target.c_str(), &info) == 0;
    if (!exists && errno != ENOENT) // for example, a link that the system does not follow
        throwWriteFailure(target, errno);
    if (exists && S_ISDIR(info.st_mode))
        throw EngineError("'" + target.string() + "' is a folder and can't be replaced by a file",
                          "Give a file name in that folder.");
    if (exists && ::access(target.c_str(), W_OK) != 0)
        throwWriteFailure(target, errno);
    const int open = descriptorOf(target);
    if (exists && open >= 0 && !S_ISFIFO(info.st_mode)) { // an open descriptor keeps its position; sockets
                                                          // can't be opened
        const int descriptor = ::fcntl(open, F_DUPFD_CLOEXEC, 0);
        if (descriptor < 0)
            throwWriteFailure(target, errno);
        writeTo(descriptor, target, write, false, stop);
        return;
    }
    if (exists && !S_ISREG(info.st_mode)) { // a device or a pipe is written to directly, since it can't be
                                            // replaced
        writeTo(openInPlace(target, S_ISFIFO(info.st_mode), stop), target, write, false, stop);
        return;
    }
    const std::filesystem::path file = resolveTarget(target);
    constexpr ::mode_t usual = 0666, own = 0600; // default before the umask is applied; for the user only
    detail::TemporaryFile temporary(file, exists ? own : usual);
    if (exists)
        detail::copyMetadata(temporary.descriptor(), file, info);
    writeTo(temporary.duplicate(), target, write, true, stop);
    temporary.replaceTarget();
}

} // namespace scanloupe
