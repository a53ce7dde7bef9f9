// Chooses backends, on a worker where that takes long.
#include "gui/jobs/backend_search.h"

#include <utility>

namespace scanloupe::gui {

void BackendSearch::find(const BackendWish& wish, std::function<void(const BackendChoice&)> found,
                         std::function<void(const Failure&)> failed) {
    const auto choose = [wish, found = std::move(found), failed = std::move(failed)] {
        std::function<void()> report;
        try {
            report = [found, choice = chooseBackend(wish)] { found(choice); };
        } catch (...) {
            report = [failed, failure = failureOf(std::current_exception(), {})] { failed(failure); };
        }
        return report;
    };
    if (loadsSycl(wish))
        m_pool.start([this, choose] { m_pool.post(choose()); });
    else
        choose()();
}

} // namespace scanloupe::gui
