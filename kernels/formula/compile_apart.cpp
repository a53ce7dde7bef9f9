// Starts the process that compiles users' code, sends it the source, and waits for the PTX.
#include "kernels/formula/compile_apart.h"

#include "kernels/core/error.h"
#include "kernels/formula/compile_limits.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <poll.h>
#include <spawn.h>
#include <string_view>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace scanloupe::cuda {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxAnswerBytes = 64 << 20;
constexpr int kPollMs = 20; // interval of checks of the stop token
constexpr const char* kShorter = "Unroll fewer loops, and expand fewer macros and templates.";

fs::path compilerProgram() {
    std::error_code unknown;
    const fs::path program = fs::read_symlink("/proc/self/exe", unknown).parent_path();
    for (const fs::path& folder : {program, program / ".." / "libexec" / "scanloupe", program / "..",
                                   // in this order: next to the program, of an installation, of a bundle's
                                   // tests, of the build folder
                                   program / ".." / ".." / "bin"})
        if (fs::path path = folder / kCompilerProgram; fs::is_regular_file(path, unknown))
            return path;
    throw KernelError(std::string(kCompilerProgram) + ", which compiles CUDA code, was not found",
                      "Install it next to the program, as packages do.");
}

/// A child process with a socket as its standard input and output. The destructor kills the process.
class Child {
public:
    explicit Child(const fs::path& program) {
        std::array<int, 2> ends{-1, -1};
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
            throwErrno(errno);
        m_socket = ends[0];
        posix_spawn_file_actions_t actions;
        posix_spawnattr_t attributes;
        posix_spawn_file_actions_init(&actions);
        posix_spawnattr_init(&attributes);
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1 /* O_WRONLY */, 0);
        posix_spawn_file_actions_addclosefrom_np(&actions, 3);
        sigset_t none, all;
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &all);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        std::string name = program.string();
        char* arguments[] = {name.data(), nullptr};
        const int error = posix_spawn(&m_process, name.c_str(), &actions, &attributes, arguments, environ);
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&actions);
        close(ends[1]);
        if (error != 0) {
            m_process = -1;
            close(m_socket);
            throwErrno(error);
        }
    }
    ~Child() {
        close(m_socket);
        if (m_process > 0) {
            kill(m_process, SIGKILL);
            static_cast<void>(end());
        }
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    int socket() const { return m_socket; }
    /// Waits until the process has ended. @returns its status from waitpid
    int end() {
        int status = 0;
        while (m_process > 0 && waitpid(m_process, &status, 0) < 0 && errno == EINTR) {
        }
        m_process = -1;
        return status;
    }

private:
    [[noreturn]] static void throwErrno(int error) {
        throw KernelError(std::string(kCompilerProgram) +
                              " cannot be started: " + std::generic_category().message(error),
                          "Close other programs, and try again.");
    }

    int m_socket = -1;
    pid_t m_process = -1;
};

[[noreturn]] void throwTooLong(int seconds) {
    throw KernelError("compiling took longer than " + std::to_string(seconds) + " s", kShorter);
}

/// Sends the request. @returns the answer, which is empty if the process has failed
std::string exchange(Child& child, std::string_view request, const std::stop_token& stop) {
    const auto begin = std::chrono::steady_clock::now();
    std::string answer;
    std::array<char, 1 << 16> block{};
    while (true) {
        if (stop.stop_requested())
            throw Cancelled();
        if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(kMaxCompilerWallSeconds))
            throwTooLong(kMaxCompilerWallSeconds);
        pollfd ready{child.socket(), short(request.empty() ? POLLIN : POLLIN | POLLOUT), 0};
        if (poll(&ready, 1, kPollMs) <= 0)
            continue;
        if (!request.empty() && (ready.revents & POLLOUT)) {
            const ssize_t size =
                send(child.socket(), request.data(), request.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
            if (size < 0 && errno != EAGAIN && errno != EINTR)
                return {};
            request.remove_prefix(std::size_t(std::max<ssize_t>(size, 0)));
            if (request.empty())
                shutdown(child.socket(), SHUT_WR);
        }
        if (ready.revents & (POLLIN | POLLHUP | POLLERR)) {
            const ssize_t size = recv(child.socket(), block.data(), block.size(), MSG_DONTWAIT);
            if (size < 0 && (errno == EAGAIN || errno == EINTR))
                continue;
            if (size <= 0)
                return size < 0 || !request.empty() ? std::string() : answer;
            answer.append(block.data(), std::size_t(size));
            if (answer.size() > kMaxAnswerBytes)
                throw KernelError("the code compiles to more than 64 MiB of instructions", kShorter);
        }
    }
}

/// Extracts the first error from a log: "file.cu(3): error: what is wrong" becomes "line 3: what is wrong".
std::string firstError(const std::string& log, const std::string& name) {
    const std::size_t at = log.find("error");
    std::size_t begin = at == std::string::npos ? 0 : log.rfind('\n', at);
    begin = begin == std::string::npos ? 0 : log[begin] == '\n' ? begin + 1 : begin;
    std::string line = log.substr(begin, log.find('\n', begin) - begin);
    if (line.starts_with(name + '('))
        line = "line " + line.substr(name.size() + 1);
    const std::size_t close = line.find("): ");
    if (close == std::string::npos)
        return line.substr(0, 300);
    const std::size_t text = line.find(": ", close + 3); // position after "error" or "catastrophic error"
    return line.substr(0, close) + ": " + line.substr(text == std::string::npos ? close + 3 : text + 2, 300);
}

[[noreturn]] void throwOutOfMemory() {
    throw KernelError("compiling needs more than " + std::to_string(kMaxCompilerBytes >> 30) + " GiB",
                      kShorter);
}

} // namespace

std::string compiledApart(const std::string& source, const std::string& file, const std::string& architecture,
                          const std::stop_token& stop) {
    Child child(compilerProgram());
    std::string answer = exchange(child, architecture + '\n' + source, stop);
    const int status = child.end();
    const bool hasEnded = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
        throwTooLong(kMaxCompilerSeconds);
    if (!hasEnded || answer.empty()) // NVRTC ends the process when it runs out of memory
        throw KernelError("the compiler stopped, probably because it needs more than " +
                              std::to_string(kMaxCompilerBytes >> 30) + " GiB",
                          kShorter);
    const auto kind = CompilerAnswer(answer.front());
    answer.erase(0, 1);
    switch (kind) {
    case CompilerAnswer::ptx:
        return answer;
    case CompilerAnswer::log:
        throw KernelError(firstError(answer, file), "Correct the code in this line.");
    case CompilerAnswer::noNvrtc:
        throw KernelError("NVRTC, which compiles for the GPU, was not found",
                          "Install the CUDA toolkit's libnvrtc.");
    case CompilerAnswer::outOfMemory:
        break;
    }
    throwOutOfMemory();
}

} // namespace scanloupe::cuda
