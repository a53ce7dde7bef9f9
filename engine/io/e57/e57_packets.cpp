// Decodes the data packets of E57 CompressedVectors: bit-packed integers, scaled integers and floats.
#include "engine/io/e57/e57_packets.h"

#include "engine/cloud/error.h"
#include "engine/io/common/little_endian.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>

namespace scanloupe {

namespace {

constexpr std::uint64_t kAllBits = std::numeric_limits<std::uint64_t>::max();

constexpr std::uint64_t kHeaderReadBytes = 4096; // bytes to read for a packet header, which has at most one
                                                 // or two kilobytes
constexpr std::uint64_t kDataReadBytes = std::uint64_t{1} << 16;
constexpr std::uint64_t kBatch = std::uint64_t{1} << 20; // bytes per batch, a few milliseconds of work

/// Header of a data packet: its offset, the offset of its first bytestream buffer, and the lengths of its
/// buffers, in bytes without checksums.
struct Packet {
    std::uint64_t offset = 0, begin = 0;
    std::vector<std::size_t> lengths; ///< [fields]
};

/// Iterates over the data packets of a scan.
class PacketReader {
public:
    /// @throws E57ChecksumError
    PacketReader(E57Pages& pages, const E57Scan& scan) : m_pages(pages), m_fields(scan.fields.size()) {
        constexpr std::uint64_t headSize = 32;
        std::byte head[headSize];
        if (scan.sectionOffset >= pages.size() || pages.size() - scan.sectionOffset < headSize)
            return;
        pages.read(scan.sectionOffset, head);
        if (head[0] != std::byte{1})
            return;
        const auto length = loadLittle<std::uint64_t>(head + 8);
        m_next = pages.logical(loadLittle<std::uint64_t>(head + 16));
        m_end = length > pages.size() - scan.sectionOffset ? pages.size() : scan.sectionOffset + length;
    }
    std::uint64_t offset() const { return m_next; } ///< offset of the next packet
    /// Ends the sequence of packets at `offset`.
    void endAt(std::uint64_t offset) { m_end = std::min(m_end, offset); }
    /// Continues with the packet at `offset`.
    void seek(std::uint64_t offset) { m_next = offset; }
    /// Reads the next data packet's header. Returns false if there are no more packets, or the header is
    /// malformed.
    /// @throws E57ChecksumError
    bool next(Packet& packet) {
        constexpr std::uint64_t least = 4;
        while (m_next < m_end && m_end - m_next >= least + 2) {
            std::byte head[least + 2];
            m_pages.read(m_next, head);
            const std::uint64_t length = std::uint64_t{loadLittle<std::uint16_t>(head + 2)} + 1;
            if (length > m_end - m_next || length < least)
                return false;
            const std::uint64_t begin = m_next;
            m_next += length;
            if (head[0] != std::byte{1})
                continue; // an index packet or an ignored packet
            const std::size_t count = loadLittle<std::uint16_t>(head + 4);
            std::uint64_t used = 6 + 2 * count;
            if (count != m_fields || used > length)
                return false;
            std::vector<std::byte> lengths(2 * count);
            m_pages.read(begin + 6, lengths);
            packet.offset = begin;
            packet.begin = begin + used;
            packet.lengths.clear();
            for (std::size_t f = 0; f < count; ++f) {
                packet.lengths.push_back(loadLittle<std::uint16_t>(lengths.data() + 2 * f));
                used += packet.lengths.back();
            }
            return used <= length;
        }
        return false;
    }

private:
    E57Pages& m_pages;
    std::size_t m_fields;
    std::uint64_t m_next = 0, m_end = 0;
};

/// Decodes the bytestream of one field, and buffers the bytes that are not decoded yet.
class BitStream {
public:
    /// Decodes the values that begin in the bytes [before, end) of the stream, up to the value with index
    /// `most`.
    BitStream(const E57Field& field, std::uint64_t before, std::uint64_t end, std::uint64_t most)
        : m_field(field) {
        const auto width = static_cast<std::uint64_t>(field.bits);
        if (width == 0)
            return;
        m_done = chunkCount(before * 8, width);
        m_bit = m_done * width - before * 8;
        m_end = std::max(m_done, std::min<std::uint64_t>(chunkCount(end * 8, width), most));
    }

    std::uint64_t done() const { return m_done; }
    bool complete() const { return m_done >= m_end; }
    /// Appends a buffer of the stream, and emits the values that are now complete.
    void add(E57Pages& pages, std::uint64_t offset, std::size_t length, std::size_t field,
             const E57ValueSink& sink) {
        const std::size_t kept = m_bytes.size() - kPadding;
        m_bytes.resize(kept + length + kPadding);
        pages.read(offset, std::span(m_bytes).subspan(kept, length));
        std::fill(m_bytes.end() - kPadding, m_bytes.end(), std::byte{});
        const auto width = static_cast<std::size_t>(m_field.bits);
        const std::size_t bits = (kept + length) * 8;
        const std::size_t whole = bits < m_bit ? 0 : (bits - m_bit) / width;
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(whole, m_end - m_done));
        decode(count, field, sink);
        m_bit += count * width;
        const std::size_t used = std::min(m_bit / 8, kept + length);
        m_bytes.erase(m_bytes.begin(), m_bytes.begin() + static_cast<std::ptrdiff_t>(used));
        m_bit -= used * 8;
    }

private:
    static constexpr std::size_t kPadding = 16; // 64-bit loads may read past the end

    void decode(std::size_t count, std::size_t field, const E57ValueSink& sink) {
        const std::byte* bytes = m_bytes.data();
        if (m_field.kind == E57Field::Kind::float32 || m_field.kind == E57Field::Kind::float64) {
            m_reals.resize(count);
            bytes += m_bit / 8; // floats are byte-aligned
            for (std::size_t i = 0; i < count; ++i)
                m_reals[i] = m_field.kind == E57Field::Kind::float32
                                 ? double{loadLittle<float>(bytes + 4 * i)}
                                 : loadLittle<double>(bytes + 8 * i);
            sink({field, m_done, {}, m_reals});
        } else {
            m_integers.resize(count);
            const auto width = static_cast<std::size_t>(m_field.bits);
            const std::uint64_t mask = kAllBits >> (64 - width);
            const auto minimum = static_cast<std::uint64_t>(m_field.minimum);
            for (std::size_t i = 0; i < count; ++i) {
                const std::size_t at = m_bit + i * width, shift = at % 8;
                std::uint64_t value = loadLittle<std::uint64_t>(bytes + at / 8) >> shift;
                if (shift + width > 64)
                    value |= std::to_integer<std::uint64_t>(bytes[at / 8 + 8]) << (64 - shift);
                m_integers[i] = static_cast<std::int64_t>((value & mask) + minimum);
            }
            sink({field, m_done, m_integers, {}});
        }
        m_done += count;
    }

    const E57Field& m_field;
    std::vector<std::byte> m_bytes = std::vector<std::byte>(kPadding);
    std::size_t m_bit = 0; ///< index of the first bit in m_bytes that is not decoded yet
    std::uint64_t m_done = 0, m_end = 0;
    std::vector<std::int64_t> m_integers;
    std::vector<double> m_reals;
};

/// Emits the values of a field with zero bits: the minimum for all points.
void emitConstant(const E57Field& description, std::uint64_t points, std::size_t field,
                  const E57ValueSink& sink) {
    const std::vector<std::int64_t> same(4096, description.minimum);
    for (std::uint64_t done = 0; done < points;) {
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(same.size(), points - done));
        sink({field, done, std::span(same).first(count), {}});
        done += count;
    }
}

/// Whether a batch can begin at this packet: the values that continue from the previous packet are complete
/// within it, so that the previous batch needs only this one additional packet.
bool canBeginBatch(const Packet& packet, const E57Scan& scan, std::span<const std::uint64_t> before) {
    constexpr std::size_t longest = 8;
    for (std::size_t f = 0; f < before.size(); ++f) {
        const auto bits = static_cast<std::uint64_t>(scan.fields[f].bits);
        const bool cut = bits > 0 && before[f] * 8 % bits != 0 && before[f] * 8 / bits < scan.points;
        if (cut && packet.lengths[f] < longest)
            return false;
    }
    return true;
}

/// Returns the number of points whose values are complete in streams of `bytes` bytes. Returns 0 for points
/// of zero bits, which no real scan has, since the file does not confirm their number.
std::uint64_t completePoints(const E57Scan& scan, std::span<const std::uint64_t> bytes) {
    std::uint64_t whole = kAllBits;
    for (std::size_t f = 0; f < bytes.size(); ++f)
        if (const auto bits = static_cast<std::uint64_t>(scan.fields[f].bits); bits > 0)
            whole = std::min(whole, bytes[f] * 8 / bits);
    return whole == kAllBits ? 0 : whole;
}

/// Returns the number of complete points whose bits can't be padding at the end of the streams. Writers pad
/// with zeros to a byte, or to a word of 16, 32 or 64 bits that fits a value (libE57Format).
std::uint64_t certainPoints(const E57Scan& scan, std::span<const std::uint64_t> bytes) {
    const std::uint64_t whole = completePoints(scan, bytes);
    std::uint64_t certain = 0;
    for (std::size_t f = 0; f < bytes.size(); ++f) {
        const E57Field& field = scan.fields[f];
        const auto width = static_cast<std::uint64_t>(field.bits);
        if (width == 0)
            continue;
        const bool real = field.kind == E57Field::Kind::float32 || field.kind == E57Field::Kind::float64;
        const std::uint64_t word = std::max<std::uint64_t>(8, std::bit_ceil(width)), bits = bytes[f] * 8;
        certain = std::max(certain, real          ? bits / width
                                    : bits > word ? (bits - word) / width + 1
                                                  : std::min<std::uint64_t>(1, bits));
    }
    return std::min(certain, whole);
}

struct BatchResult {
    std::uint64_t whole = kAllBits; ///< number of points before the first missing value; kAllBits: no value
                                    ///< is missing
    std::optional<E57ChecksumError> bad;
};

BatchResult readBatch(const E57Pages& shared, const E57Scan& scan, const E57Plan& plan, std::size_t batch,
                      const E57ValueSink& sink, const std::stop_token& stop) {
    const E57Batch& begin = plan.batches[batch];
    const E57Batch* end = batch + 1 < plan.batches.size() ? &plan.batches[batch + 1] : nullptr;
    const std::uint64_t rest = kAllBits / 64; // the last batch is not limited: more bytes than in any stream
    std::vector<BitStream> streams;
    for (std::size_t f = 0; f < scan.fields.size(); ++f)
        streams.emplace_back(scan.fields[f], begin.before[f], end ? end->before[f] : rest, plan.points);
    BatchResult result;
    try {
        E57Pages pages = shared.clone(kDataReadBytes);
        PacketReader packets(pages, scan);
        packets.seek(begin.offset);
        bool last = false; // whether this is the packet after the batch, which completes its last values
        for (Packet packet; !last && packets.next(packet);) {
            if (stop.stop_requested())
                throw Cancelled();
            last = end && packet.offset >= end->offset;
            std::uint64_t offset = packet.begin;
            for (std::size_t f = 0; f < streams.size(); ++f) {
                if (packet.lengths[f] > 0 && !streams[f].complete())
                    streams[f].add(pages, offset, packet.lengths[f], f, sink);
                offset += packet.lengths[f];
            }
            if (std::all_of(streams.begin(), streams.end(), [](const BitStream& s) { return s.complete(); }))
                break;
        }
    } catch (const E57ChecksumError& bad) {
        result.bad = bad;
    }
    for (const BitStream& stream : streams)
        if (!stream.complete())
            result.whole = std::min(result.whole, stream.done());
    return result;
}

} // namespace

bool E57Extents::covers(std::uint64_t offset) const {
    const auto next = m_ends.upper_bound(offset);
    return next != m_ends.begin() && std::prev(next)->second > offset;
}

std::uint64_t E57Extents::nextAfter(std::uint64_t offset) const {
    const auto next = m_ends.upper_bound(offset);
    return next == m_ends.end() ? kAllBits : next->first;
}

E57Plan planE57(const E57Pages& shared, const E57Scan& scan, E57Extents& extents, std::string& problem,
                const std::stop_token& stop) {
    E57Plan plan;
    std::vector<std::uint64_t> bytes(scan.fields.size());
    bool damaged = false;
    try {
        E57Pages pages = shared.clone(kHeaderReadBytes);
        PacketReader packets(pages, scan);
        const std::uint64_t begin = packets.offset();
        plan.shared = extents.covers(begin);
        if (plan.shared)
            return plan;
        packets.endAt(extents.nextAfter(begin));
        for (Packet packet; completePoints(scan, bytes) < scan.points && packets.next(packet);) {
            if (stop.stop_requested())
                throw Cancelled();
            const bool full = plan.batches.empty() || packet.offset - plan.batches.back().offset >= kBatch;
            if (full && canBeginBatch(packet, scan, bytes))
                plan.batches.push_back({packet.offset, bytes});
            for (std::size_t f = 0; f < bytes.size(); ++f)
                bytes[f] += packet.lengths[f];
            extents.set(begin, packets.offset());
        }
    } catch (const E57ChecksumError& bad) {
        problem = bad.sentence();
        damaged = true;
    }
    const std::uint64_t whole = completePoints(scan, bytes);
    plan.points = std::min(scan.points, whole);
    plan.certain = damaged || scan.points <= whole ? plan.points : certainPoints(scan, bytes);
    return plan;
}

std::uint64_t readE57Points(const E57Pages& pages, const E57Scan& scan, const E57Plan& plan,
                            const E57ValueSink& sink, std::string& problem, const std::stop_token& stop) {
    std::atomic<std::uint64_t> certain = plan.certain;
    const E57ValueSink watch = [&](const E57Values& values) {
        sink(values);
        const std::int64_t zero = scan.fields[values.field].minimum; // encoded as zero bits
        std::uint64_t known = certain, last = values.first + values.integers.size();
        while (last > known && values.integers[last - 1 - values.first] == zero)
            --last;
        while (last > known && !certain.compare_exchange_weak(known, last)) {
        }
    };
    std::vector<BatchResult> results(plan.batches.size());
    parallelFor(plan.batches.size(), 1, stop, [&](std::size_t begin, std::size_t) {
        results[begin] = readBatch(pages, scan, plan, begin, plan.certain < plan.points ? watch : sink, stop);
    });
    std::uint64_t whole = std::min<std::uint64_t>(plan.points, certain);
    for (const BatchResult& result : results)
        whole = std::min(whole, result.whole);
    const auto damaged = std::find_if(results.begin(), results.end(),
                                      [](const BatchResult& result) { return result.bad.has_value(); });
    if (damaged != results.end())
        problem = damaged->bad->sentence();
    for (std::size_t f = 0; f < scan.fields.size(); ++f)
        if (scan.fields[f].bits == 0)
            emitConstant(scan.fields[f], whole, f, sink);
    return whole;
}

} // namespace scanloupe
