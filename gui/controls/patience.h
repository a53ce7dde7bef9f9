#pragma once
// Declares waiting while the window answers: for disks and networks that may be slow, or never answer.
#include "gui/jobs/apart.h"

#include <QString>
#include <chrono>
#include <functional>
#include <optional>

class QWidget;

namespace scanloupe::gui {

/// What the box says that is shown while something takes long.
struct PatienceWords {
    QString title, sentence, explanation;
    QString leave = {}; ///< of a button that ends the waiting; empty: there is Cancel alone
};

/// Of a file that is read; its path as rawText() represents it.
PatienceWords readingWords(const QString& path);

enum class Waited { done, cancelled, left };

/// Waits until `isDone`, which is asked again and again, while the window answers: for a moment without a
/// word, then with a box.
Waited waitUntil(QWidget* window, const std::function<bool()>& isDone, const PatienceWords& words);

/// What `read` returns or throws. It runs on a thread of its own, which is left behind when the user does not
/// wait for it: then the result is empty. `read` has to own what it uses.
template <class Result>
std::optional<Result> readApart(QWidget* window, const PatienceWords& words, std::function<Result()> read) {
    using namespace std::chrono_literals;
    constexpr auto atOnce = 250ms; // as most files are: nothing else happens in the window meanwhile
    std::future<Result> result = startApart(std::move(read));
    const auto isDone = [&] { return result.wait_for(0s) == std::future_status::ready; };
    if (result.wait_for(atOnce) != std::future_status::ready &&
        waitUntil(window, isDone, words) != Waited::done)
        return std::nullopt;
    return result.get();
}

} // namespace scanloupe::gui
