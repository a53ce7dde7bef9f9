// Runs functions on threads. No other code of the engine starts threads.
#include "engine/compute/side_by_side.h"

#include "engine/cloud/error.h"

#include <atomic>
#include <exception>
#include <fmt/format.h>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace scanloupe {

void runSideBySide(std::span<const std::function<void()>> functions) {
    if (functions.empty())
        return;
    std::mutex mutex;
    std::exception_ptr first;
    const auto guarded = [&](const std::function<void()>& function) {
        try {
            function();
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!first)
                first = std::current_exception();
        }
    };
    enum class Start { waiting, run, none };
    std::atomic<Start> start{Start::waiting};
    const auto decide = [&start](Start decision) {
        start = decision;
        start.notify_all();
    };
    {
        std::vector<std::jthread> threads;
        try {
            threads.reserve(functions.size() - 1);
            for (const auto& function : functions.subspan(1))
                threads.emplace_back([&] {
                    start.wait(Start::waiting);
                    if (start == Start::run)
                        guarded(function);
                });
        } catch (const std::system_error& error) {
            decide(Start::none); // otherwise a started function could wait forever for one that was not
                                 // started
            throw EngineError(
                fmt::format("Could not start {} threads: {}.", functions.size() - 1, error.code().message()),
                "Close other programs, or raise the limits of processes and of memory "
                "(ulimit -u, ulimit -v).");
        } catch (...) {
            decide(Start::none);
            throw;
        }
        decide(Start::run);
        guarded(functions.front());
    }
    if (first)
        std::rethrow_exception(first);
}

} // namespace scanloupe
