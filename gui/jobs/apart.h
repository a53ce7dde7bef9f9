#pragma once
// Runs work that an unresponsive disk or network could block forever, on threads that can be abandoned.
#include "kernels/core/system/thread_priority.h"

#include <QFuture>
#include <QFutureWatcher>
#include <QObject>
#include <QPromise>
#include <functional>
#include <future>
#include <thread>
#include <type_traits>
#include <utility>

namespace scanloupe::gui {

/// Starts `work` on a separate thread. Dropping the result abandons the thread: nothing waits for it, not
/// even the end of the program.
template <class Work>
auto startApart(Work work) -> std::future<std::invoke_result_t<Work&>> {
    std::packaged_task<std::invoke_result_t<Work&>()> task(std::move(work));
    auto result = task.get_future();
    std::thread(std::move(task)).detach();
    return result;
}

/// Starts `work`, which must not throw, on such a thread of lower priority.
/// @param ended gets the result on the GUI thread; it is dropped once `owner` is destroyed
template <class Result>
QFuture<Result> startApart(QObject& owner, std::function<Result()> work,
                           std::function<void(const Result&)> ended) {
    QPromise<Result> promise;
    const QFuture<Result> future = promise.future();
    auto* watcher = new QFutureWatcher<Result>(&owner);
    QObject::connect(watcher, &QFutureWatcherBase::finished, &owner, [watcher, ended = std::move(ended)] {
        watcher->deleteLater();
        ended(watcher->result());
    });
    watcher->setFuture(future);
    std::thread([promise = std::move(promise), work = std::move(work)]() mutable {
        lowerThreadPriority();
        promise.start();
        promise.addResult(work());
        promise.finish();
    }).detach();
    return future;
}

} // namespace scanloupe::gui
