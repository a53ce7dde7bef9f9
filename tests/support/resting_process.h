#pragma once
// A process for tests of leftovers after kill -9.
#include <csignal>
#include <functional>
#include <sys/wait.h>
#include <unistd.h>

#include <QtGlobal>

namespace scanloupe::test {

/// A child process that runs a function. It calls `rest`, and is then killed.
class RestingProcess {
public:
    using Rest = std::function<void()>;

    explicit RestingProcess(const std::function<void(const Rest& rest)>& run) {
        int ready[2] = {-1, -1};
        if (::pipe(ready) != 0)
            qFatal("there is no pipe");
        m_process = ::fork();
        if (m_process == 0) {
            run([&] {
                const bool told = ::write(ready[1], "x", 1) == 1;
                while (told)
                    ::pause();
            });
            ::_exit(1);
        }
        ::close(ready[1]);
        char byte = 0;
        m_isReady = m_process > 0 && ::read(ready[0], &byte, 1) == 1;
        ::close(ready[0]);
    }
    ~RestingProcess() { kill(); }
    RestingProcess(const RestingProcess&) = delete;
    RestingProcess& operator=(const RestingProcess&) = delete;

    bool isReady() const { return m_isReady; }
    void kill() {
        if (m_process > 0) {
            ::kill(m_process, SIGKILL);
            ::waitpid(m_process, nullptr, 0);
        }
        m_process = -1;
    }

private:
    ::pid_t m_process = -1;
    bool m_isReady = false;
};

} // namespace scanloupe::test
