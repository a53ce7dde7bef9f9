#pragma once
// The packets that an E57 scan's points lie in: a stream of bits for each value, cut into pieces.
#include "engine/io/e57_scans.h"

#include <functional>
#include <map>
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
using E57ValueSink = std::function<void(const E57Values&)>; ///< called from several threads

/// A run of packets that is unpacked by itself.
struct E57Batch {
    std::uint64_t offset = 0;          ///< of its first packet, without checksums
    std::vector<std::uint64_t> before; ///< [fields] bytes of the streams that lie before it
};

/// What the heads of a scan's packets tell.
struct E57Plan {
    std::uint64_t points = 0;  ///< that may be whole in the file, at most as many as claimed
    std::uint64_t certain = 0; ///< of them; the bits of the others may be what fills up the last bytes
    bool shared = false;       ///< its packets are those of another scan: not one is planned
    std::vector<E57Batch> batches;
};

/// Where the packets of scans lie. Each byte of a file belongs to one scan, so that a file has no more points
/// than its bytes can hold, however many scans it names.
class E57Extents {
public:
    bool covers(std::uint64_t offset) const;
    std::uint64_t nextAfter(std::uint64_t offset) const; ///< where the next extent begins
    /// The extent from `begin` on reaches `end`.
    void set(std::uint64_t begin, std::uint64_t end) { m_ends[begin] = end; }

private:
    std::map<std::uint64_t, std::uint64_t> m_ends; ///< by where they begin
};

/// Walks a scan's packets by their heads alone, as far as its points reach, and adds them to `extents`. Sets
/// `problem` when one can't be read. @throws EngineError; Cancelled
E57Plan planE57(const E57Pages& pages, const E57Scan& scan, E57Extents& extents, std::string& problem,
                const std::stop_token& stop);

/// Hands out the values of the plan's points, on all cores and in any order, and gives for how many points,
/// from the first on, all values came; fewer when a page is damaged, which `problem` then tells.
/// @throws EngineError; Cancelled
std::uint64_t readE57Points(const E57Pages& pages, const E57Scan& scan, const E57Plan& plan,
                            const E57ValueSink& sink, std::string& problem, const std::stop_token& stop);

} // namespace scanloupe
