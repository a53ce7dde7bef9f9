#pragma once
// Declares the times of results by what they are: of results that are taken again, too.
#include "engine/results/snapshot.h"

#include <array>
#include <map>
#include <memory>
#include <optional>

namespace scanloupe::gui {

/// Remembers how long each stage up to the mesh took to make each result that is still held anywhere. A run
/// takes no time for results of earlier ones; this still knows how long those took.
class ResultTimes {
public:
    /// Learns from a run. Previews are left out.
    void add(const Snapshot& snapshot);
    /// Wall time of the stages from the points on the device or the host to the mesh, ms. No value while the
    /// run of one of these results is unknown.
    std::optional<double> of(const Snapshot& snapshot) const;

private:
    using Times = std::map<std::weak_ptr<const void>, double, std::owner_less<>>;
    std::array<Times, kStageCount> m_times; ///< ms, by the identity of the result
};

} // namespace scanloupe::gui
