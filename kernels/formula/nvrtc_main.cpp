// Main program of the process that compiles a user's source with NVRTC: it reads the architecture and the
// source from standard input, and writes the PTX to standard output. Before reading the source, it limits its
// own memory, time, files and system calls.
#include "kernels/core/error.h"
#include "kernels/formula/compile_limits.h"
#include "kernels/formula/nvrtc.h"
#include "kernels/formula/system_calls.h"

#include <csignal>
#include <cstddef>
#include <new>
#include <string>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace scanloupe::cuda;

namespace {

bool limit(int resource, std::uint64_t most) {
    const rlimit limits{most, most};
    return setrlimit(resource, &limits) == 0;
}

std::string readAll() {
    std::string text;
    char block[1 << 16];
    for (ssize_t size = 0; (size = read(STDIN_FILENO, block, sizeof block)) > 0;)
        text.append(block, std::size_t(size));
    return text;
}

int answer(CompilerAnswer kind, const std::string& text = {}) {
    const std::string all = static_cast<char>(kind) + text;
    for (std::size_t at = 0; at < all.size();) {
        const ssize_t size = write(STDOUT_FILENO, all.data() + at, all.size() - at);
        if (size <= 0)
            return 1;
        at += std::size_t(size);
    }
    return 0;
}

} // namespace

int main() {
    prctl(PR_SET_PDEATHSIG, SIGKILL); // ends this process when the parent process ends
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    // changes the folder, since PTX contains paths relative to the current one
    if (chdir("/") != 0 || !limit(RLIMIT_AS, kMaxCompilerBytes) || !limit(RLIMIT_CPU, kMaxCompilerSeconds) ||
        !limit(RLIMIT_FSIZE, 0) || !limit(RLIMIT_CORE, 0))
        return 1;
    try {
        if (!hasNvrtc())
            return answer(CompilerAnswer::noNvrtc);
        // compiles once before files are limited, since NVRTC opens its own files with the first source
        static_cast<void>(compiledToPtx("__device__ int ready;", "compute_90"));
        if (!limit(RLIMIT_NOFILE, 0))
            return 1;
        keepOnlyCallsOfCompilers();
        const std::string request = readAll();
        const std::size_t line = request.find('\n');
        if (line == std::string::npos)
            return 1;
        const CompiledPtx compiled = compiledToPtx(request.substr(line + 1), request.substr(0, line));
        if (compiled.log.find("NVRTC_ERROR_OUT_OF_MEMORY") != std::string::npos)
            return answer(CompilerAnswer::outOfMemory);
        return compiled.log.empty() ? answer(CompilerAnswer::ptx, compiled.ptx)
                                    : answer(CompilerAnswer::log, compiled.log.substr(0, 1 << 16));
    } catch (const std::bad_alloc&) {
        return answer(CompilerAnswer::outOfMemory);
    } catch (const scanloupe::Error&) {
        return 1;
    }
}
