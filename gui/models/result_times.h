#pragma once
// Declares the durations of results, including those that are reused.
#include "engine/recipe/stage.h"

#include <array>
#include <map>
#include <memory>
#include <optional>

namespace scanloupe {
struct Snapshot;
}

namespace scanloupe::gui {

/// Stores the duration of each stage up to the mesh for each result that still exists, since a run that
/// reuses results reports no time for them.
class ResultTimes {
public:
    /// Records the times of a run, except for previews.
    void add(const Snapshot& snapshot);
    /// Wall time of the stages from the points on the device or the host to the mesh, ms. No value while the
    /// run of one of these results is unknown.
    std::optional<double> of(const Snapshot& snapshot) const;

private:
    using Times = std::map<std::weak_ptr<const void>, double, std::owner_less<>>;
    std::array<Times, kStageCount> m_times; ///< ms, by the identity of the result
};

} // namespace scanloupe::gui
