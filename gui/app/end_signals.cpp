// Passes signals from their handler to the GUI thread, through a pipe.
#include "gui/app/end_signals.h"

#include <QSocketNotifier>
#include <csignal>
#include <unistd.h>
#include <utility>

namespace scanloupe::gui {

namespace {

constexpr int kSignals[] = {SIGTERM, SIGINT, SIGHUP};
int pipeEnds[2] = {-1, -1}; // read end, write end

/// Only calls that POSIX lists as async-signal-safe, such as write(), are allowed in a handler.
void pass(int signal) {
    const auto number = static_cast<unsigned char>(signal);
    [[maybe_unused]] const ssize_t written = ::write(pipeEnds[1], &number, 1);
}

} // namespace

EndSignals::EndSignals(QObject* parent) : QObject(parent) {
    if (::pipe(pipeEnds) != 0)
        return; // without a pipe, signals end the program immediately
    auto* notifier = new QSocketNotifier(pipeEnds[0], QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, [this] {
        unsigned char number = 0;
        if (::read(pipeEnds[0], &number, 1) == 1)
            emit received(number);
    });
    struct sigaction action = {}, before = {};
    action.sa_handler = pass;
    action.sa_flags = static_cast<int>(SA_RESETHAND); // a second signal ends the program
    for (const int signal : kSignals)
        // signals that are ignored, as with nohup, stay ignored
        if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
            ::sigaction(signal, &action, nullptr);
}

EndSignals::~EndSignals() {
    for (const int signal : kSignals)
        std::signal(signal, SIG_DFL);
    for (int& end : pipeEnds)
        if (end >= 0)
            ::close(std::exchange(end, -1));
}

} // namespace scanloupe::gui
