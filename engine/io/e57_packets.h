#pragma once
// The packets that an E57 scan's points lie in: a stream of bits for each value, cut into pieces.
#include "engine/io/e57_scans.h"

#include <functional>
#include <stop_token>

namespace scanloupe {

/// Takes `count` numbers of field `field`, the first of point `first`: `integers` for integers and scaled
/// ones, as stored plus the minimum; else `reals`.
struct E57Values {
    std::size_t field = 0;
    std::uint64_t first = 0;
    std::span<const std::int64_t> integers;
    std::span<const double> reals;
};
using TakeValues = std::function<void(const E57Values&)>;

/// How many points of a scan are whole in the file, at most as many as claimed, by the packets' lengths
/// alone. Sets `problem` when that is not all of them. @throws EngineError; Cancelled
std::uint64_t countE57Points(E57Pages& pages, const E57Scan& scan, std::string& problem,
                             const std::stop_token& stop);

/// Hands out the values of the first `points` points, as many as there are, and gives of how many points all
/// values came; fewer when a page is damaged, which `problem` then tells. @throws EngineError; Cancelled
std::uint64_t readE57Points(E57Pages& pages, const E57Scan& scan, std::uint64_t points,
                            const TakeValues& take, std::string& problem, const std::stop_token& stop);

} // namespace scanloupe
