#pragma once
// Declares the points that the user has selected.
#include "engine/compute/device_or_host.h"
#include "engine/edit/edits.h"
#include "kernels/select/point_set.h"

#include <cstdint>
#include <memory>
#include <string>

namespace scanloupe {

class HostPoints;

/// A set of points in the memory space in which it was computed.
struct StoredPointSet : PointSet {
    StoredPointSet download(StreamView stream) const { return {copyTo(MemorySpace::host, stream)}; }
    std::uint64_t bytes() const { return words.bytes(); }
};

struct ChosenPoints {
    std::shared_ptr<const HostPoints> of; ///< the points from which the set was selected
    PointSelection selection;
    DeviceOrHost<StoredPointSet> set;
    std::uint64_t count = 0;
    std::string note = {}; ///< why a part was computed on the host; empty if nothing was
};

} // namespace scanloupe
