#pragma once
// Declares the choice of a backend in the background.
#include "gui/jobs/job_pool.h"

namespace scanloupe {
struct BackendChoice;
struct BackendRequest;
} // namespace scanloupe

namespace scanloupe::gui {

/// Chooses backends as chooseBackend() does: immediately, or on a worker if SYCL has to be loaded and its
/// devices have to pass their self-test, which takes seconds. GUI thread.
class BackendSearch : public QObject {
    Q_OBJECT
public:
    explicit BackendSearch(QObject* parent = nullptr) : QObject(parent), m_pool(*this, 1) {}

    /// Calls `found` or `failed`: before it returns, if nothing has to be loaded.
    void find(const BackendRequest& request, std::function<void(const BackendChoice&)> found,
              std::function<void(const Failure&)> failed);

private:
    JobPool m_pool; ///< declared last, so destroyed first
};

} // namespace scanloupe::gui
