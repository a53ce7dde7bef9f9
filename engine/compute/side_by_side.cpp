// Runs functions on threads: the only place of the engine that starts some.
#include "engine/compute/side_by_side.h"

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace scanloupe {

void runSideBySide(std::span<const std::function<void()>> functions) {
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
    {
        std::vector<std::jthread> threads;
        for (const auto& function : functions.subspan(functions.empty() ? 0 : 1))
            threads.emplace_back([&guarded, &function] { guarded(function); });
        if (!functions.empty())
            guarded(functions.front());
    }
    if (first)
        std::rethrow_exception(first);
}

} // namespace scanloupe
