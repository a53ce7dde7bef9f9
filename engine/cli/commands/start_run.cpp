// Starts the backend and reads the input concurrently.
#include "engine/cli/commands/start_run.h"

#include "engine/compute/backend.h"
#include "engine/io/common/read_options.h"
#include "kernels/core/error.h"
#include "kernels/core/parallel.h"

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>

namespace scanloupe::cli {

namespace {

/// Chooses the backend of a command on first use. Thread-safe.
class ChosenBackend {
public:
    explicit ChosenBackend(BackendRequest wanted) : m_wanted(std::move(wanted)) {}
    /// Returns the backend. @throws as chooseBackend()
    const BackendChoice& get() {
        std::call_once(m_once, [this] { m_choice = chooseBackend(m_wanted); });
        return m_choice;
    }

private:
    BackendRequest m_wanted;
    std::once_flag m_once;
    BackendChoice m_choice;
};

} // namespace

StartedRun startRun(const BackendRequest& wanted, const ReadOptions& read, const InputReader& reader) {
    StartedRun run;
    ChosenBackend backend(wanted);
    std::atomic<bool> failed = false;
    std::exception_ptr failure; // The backend's failure, which also cancels reading; it is thrown before the
                                // reader's cancellation.
    ReadOptions options = read;
    options.progress = [&failed](double) {
        if (failed)
            throw Cancelled();
    };
    options.deviceStream = [&backend] { return deviceStreamOf(backend.get())(); };
    const auto task = [&](std::size_t number) {
        if (number == 0) {
            try {
                run.pipeline = std::make_unique<Pipeline>(backend.get());
            } catch (...) {
                failure = std::current_exception();
                failed = true;
            }
        } else {
            run.input = reader(options);
        }
    };
    try {
        parallelFor(2, 1, {}, [&](std::size_t number, std::size_t) { task(number); });
    } catch (...) {
        if (!failure)
            throw;
    }
    if (failure)
        std::rethrow_exception(failure);
    return run;
}

} // namespace scanloupe::cli
