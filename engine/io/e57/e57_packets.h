#pragma once
// Declares the decoder of E57 data packets (ASTM E2807): one bytestream for each field of a scan's points,
// cut into packets.
#include "engine/io/e57/e57_scans.h"

#include <functional>
#include <map>
#include <stop_token>

namespace scanloupe {

/// Decoded values of field `field`, starting with point `first`: `integers` for integers and scaled integers
/// (the stored number plus the minimum), else `reals`.
struct E57Values {
    std::size_t field = 0;
    std::uint64_t first = 0;
    std::span<const std::int64_t> integers;
    std::span<const double> reals;
};
using E57ValueSink = std::function<void(const E57Values&)>; ///< called from several threads

/// A run of packets that is decoded independently of the others.
struct E57Batch {
    std::uint64_t offset = 0;          ///< offset of its first packet, without checksums
    std::vector<std::uint64_t> before; ///< [fields] bytes of the bytestreams before it
};

/// Summary of the packet headers of a scan.
struct E57Plan {
    std::uint64_t points = 0;  ///< upper bound of complete points, at most the claimed count
    std::uint64_t certain = 0; ///< points among these whose bits can't be padding
    bool shared = false;       ///< its packets belong to another scan: none is planned
    std::vector<E57Batch> batches;
};

/// Extents of the file that the packets of scans occupy. Each byte belongs to one scan only, so that a
/// damaged file can't claim more points than its bytes hold by naming the same packets in many scans.
class E57Extents {
public:
    bool covers(std::uint64_t offset) const;
    std::uint64_t nextAfter(std::uint64_t offset) const; ///< beginning of the next extent
    /// Records the extent [begin, end).
    void set(std::uint64_t begin, std::uint64_t end) { m_ends[begin] = end; }

private:
    std::map<std::uint64_t, std::uint64_t> m_ends; ///< ends by beginnings
};

/// Reads the headers of a scan's packets, as far as its points reach, and adds the packets to `extents`. Sets
/// `problem` when one can't be read. @throws EngineError; Cancelled
E57Plan planE57(const E57Pages& pages, const E57Scan& scan, E57Extents& extents, std::string& problem,
                const std::stop_token& stop);

/// Decodes the values of the plan's points, on all cores and in any order. Returns the number of leading
/// points with complete values, which a damaged page reduces; `problem` then describes it.
/// @throws EngineError; Cancelled
std::uint64_t readE57Points(const E57Pages& pages, const E57Scan& scan, const E57Plan& plan,
                            const E57ValueSink& sink, std::string& problem, const std::stop_token& stop);

} // namespace scanloupe
