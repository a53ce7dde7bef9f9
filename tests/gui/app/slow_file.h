#pragma once
// A file that is as slow as one on a disconnected network drive.
#include <QString>
#include <array>
#include <atomic>
#include <chrono>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace scanloupe::test {

/// A full pipe that acts like a disconnected network drive: writing to it blocks until goOn() is called, for
/// at most two minutes.
class SlowFile {
public:
    explicit SlowFile(const QString& file) : path(file) {
        ::mkfifo(qPrintable(file), 0600);
        m_pipe = ::open(qPrintable(file), O_RDWR | O_NONBLOCK | O_CLOEXEC);
        hold();
    }
    ~SlowFile() {
        m_reader.request_stop();
        m_reader.join();
        ::close(m_pipe);
    }
    void goOn() { m_goesOn = true; }
    /// The written text, after spaces. Its writer must have finished; the next one blocks again.
    std::string written() {
        m_reader.request_stop();
        m_reader.join();
        std::string text = std::exchange(m_text, {});
        hold();
        return text;
    }
    const QString path;

private:
    void hold() {
        const char space = ' ';
        while (::write(m_pipe, &space, 1) > 0)
            ;
        m_goesOn = false;
        m_reader = std::jthread([this](const std::stop_token& stop) { read(stop); });
    }
    void read(const std::stop_token& stop) {
        const auto patience = std::chrono::steady_clock::now() + std::chrono::minutes(2);
        std::array<char, 4096> block{};
        for (bool isLast = false; !isLast;) {
            isLast = stop.stop_requested(); // if so, the pipe contains all of the text
            ::ssize_t count = 0;
            while ((isLast || m_goesOn || std::chrono::steady_clock::now() > patience) &&
                   (count = ::read(m_pipe, block.data(), block.size())) > 0)
                m_text.append(block.data(), std::size_t(count));
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    }
    int m_pipe = -1;
    std::atomic<bool> m_goesOn = false;
    std::string m_text;
    std::jthread m_reader;
};

} // namespace scanloupe::test
