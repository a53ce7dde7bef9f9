#pragma once
// Declares waits that keep the window responsive: for disks and networks that are slow or never answer.
#include "gui/jobs/apart.h"

#include <QString>
#include <chrono>
#include <functional>
#include <optional>

class QWidget;

namespace scanloupe::gui {

/// Texts of the dialog that appears during a long wait.
struct PatienceWords {
    QString title, sentence, explanation;
    QString leave = {}; ///< label of a button that stops waiting; empty: only Cancel is offered
};

/// Texts for reading a file. @param path as rawText() represents it
PatienceWords readingWords(const QString& path);

enum class Waited { done, cancelled, left };

/// Polls `isDone` until it holds, while the window stays responsive. Shows a dialog after a moment.
Waited waitUntil(QWidget* window, const std::function<bool()>& isDone, const PatienceWords& words);

/// Runs `read` on a separate thread and returns its result, or throws its exception. The result is empty if
/// the user stops waiting; the thread then continues by itself, so `read` has to own its data.
template <class Result>
std::optional<Result> readApart(QWidget* window, const PatienceWords& words, std::function<Result()> read) {
    using namespace std::chrono_literals;
    constexpr auto atOnce = 250ms; // enough for most files; the window handles no events until then
    std::future<Result> result = startApart(std::move(read));
    const auto isDone = [&] { return result.wait_for(0s) == std::future_status::ready; };
    if (result.wait_for(atOnce) != std::future_status::ready &&
        waitUntil(window, isDone, words) != Waited::done)
        return std::nullopt;
    return result.get();
}

} // namespace scanloupe::gui
