#pragma once
#include "tests/support/bench_scenes.h"

#include <cstddef>
#include <vector>

namespace scanloupe::test {

/// The `surface` scene for callers with the order as a flag: [points, 3] metres.
inline std::vector<Vec3f> surfaceCloud(std::size_t points, bool shuffled) {
    return surfaceCloud(std::uint64_t{points}, shuffled ? PointOrder::shuffled : PointOrder::scan);
}

} // namespace scanloupe::test
