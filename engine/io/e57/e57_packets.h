#pragma once
// Declares the decoder of E57 data packets (ASTM E2807). Each field of a scan's points has a bytestream,
// which is divided into packets.
#include "engine/io/e57/e57_scans.h"

#include <functional>
#include <map>
#include <stop_token>

namespace scanloupe {

/// Decoded values of field `field`, starting with point `first`. `integers` contains the values of integers
/// and scaled integers (stored number plus minimum), `reals` the values of other types.
struct E57Values {
    std::size_t field = 0;
    std::uint64_t first = 0;
    std::span<const std::int64_t> integers;
    std::span<const double> reals;
};
using E57ValueSink = std::function<void(const E57Values&)>; ///< called from several threads

/// Consecutive packets that are decoded independently of the others.
struct E57Batch {
    std::uint64_t offset = 0;          ///< offset of its first packet, without checksums
    std::vector<std::uint64_t> before; ///< [fields] number of bytes in the bytestreams before this batch
};

/// Summary of the packet headers of a scan.
struct E57Plan {
    std::uint64_t points = 0;  ///< upper bound for the number of complete points, at most the claimed count
    std::uint64_t certain = 0; ///< number of points whose bits can't be padding
    bool shared = false;       ///< whether its packets also belong to another scan; then nothing is planned
    std::vector<E57Batch> batches;
};

/// Extents of the file with the packets of scans. Each byte may only belong to one scan. Otherwise a damaged
/// file could claim more points than it has bytes, by referring to the same packets in many scans.
class E57Extents {
public:
    bool covers(std::uint64_t offset) const;
    std::uint64_t nextAfter(std::uint64_t offset) const; ///< returns the beginning of the next extent
    /// Records the extent [begin, end).
    void set(std::uint64_t begin, std::uint64_t end) { m_ends[begin] = end; }

private:
    std::map<std::uint64_t, std::uint64_t> m_ends; ///< end of each extent by its beginning
};

/// Reads the headers of a scan's packets as far as its points extend, and adds the packets to `extents`.
/// @param problem set if a header can't be read @throws EngineError; Cancelled
E57Plan planE57(const E57Pages& pages, const E57Scan& scan, E57Extents& extents, std::string& problem,
                const std::stop_token& stop);

/// Decodes the values of the plan's points on all cores, in any order. @param problem describes a damaged
/// page if there is one @returns the number of leading points with complete values, which is smaller if a
/// page is damaged
/// @throws EngineError; Cancelled
std::uint64_t readE57Points(const E57Pages& pages, const E57Scan& scan, const E57Plan& plan,
                            const E57ValueSink& sink, std::string& problem, const std::stop_token& stop);

} // namespace scanloupe
