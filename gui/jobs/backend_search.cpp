// Chooses backends, on a worker if that takes long.
#include "gui/jobs/backend_search.h"

#include "engine/compute/backend.h"

#include <utility>

namespace scanloupe::gui {

void BackendSearch::find(const BackendRequest& request, std::function<void(const BackendChoice&)> found,
                         std::function<void(const Failure&)> failed) {
    const auto choose = [request, found = std::move(found), failed = std::move(failed)] {
        std::function<void()> report;
        try {
            report = [found, choice = chooseBackend(request)] { found(choice); };
        } catch (...) {
            report = [failed, failure = failureOf(std::current_exception(), {})] { failed(failure); };
        }
        return report;
    };
    if (loadsSycl(request))
        m_pool.start([this, choose] { m_pool.post(choose()); });
    else
        choose()();
}

} // namespace scanloupe::gui
