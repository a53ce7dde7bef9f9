#include "engine/io/e57_packets.h"

#include "engine/cloud/error.h"
#include "engine/io/little_endian.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace scanloupe {

namespace {

constexpr std::uint64_t kAllBits = std::numeric_limits<std::uint64_t>::max();

/// The lengths of a data packet's pieces, and where they begin.
struct Packet {
    std::uint64_t begin = 0;
    std::vector<std::size_t> lengths; ///< [fields]
};

/// Walks the packets of a scan, one after the other.
class Packets {
public:
    /// @throws E57BadPage
    Packets(E57Pages& pages, const E57Scan& scan) : m_pages(pages), m_fields(scan.fields.size()) {
        constexpr std::uint64_t headSize = 32;
        std::byte head[headSize];
        if (scan.section >= pages.size() || pages.size() - scan.section < headSize)
            return;
        pages.read(scan.section, head);
        if (head[0] != std::byte{1})
            return;
        const auto length = loadLittle<std::uint64_t>(head + 8);
        m_next = pages.logical(loadLittle<std::uint64_t>(head + 16));
        m_end = length > pages.size() - scan.section ? pages.size() : scan.section + length;
    }
    /// The next packet of data; false when there are no more, or it makes no sense. @throws E57BadPage
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
                continue; // an index or an ignored packet
            const std::size_t count = loadLittle<std::uint16_t>(head + 4);
            std::uint64_t used = 6 + 2 * count;
            if (count != m_fields || used > length)
                return false;
            std::vector<std::byte> lengths(2 * count);
            m_pages.read(begin + 6, lengths);
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
    std::uint64_t place() const { return m_next; }

private:
    E57Pages& m_pages;
    std::size_t m_fields;
    std::uint64_t m_next = 0, m_end = 0;
};

/// The stream of one field: what came, less what was taken out of it.
class BitStream {
public:
    explicit BitStream(const E57Field& field) : m_field(field) {}

    std::uint64_t done() const { return m_done; }
    /// Takes a piece of the stream and hands out the values that are whole then, `most` of them at most.
    void add(E57Pages& pages, std::uint64_t place, std::size_t length, std::uint64_t most, std::size_t field,
             const TakeValues& take) {
        const std::size_t kept = m_bytes.size() - kPadding;
        m_bytes.resize(kept + length + kPadding);
        pages.read(place, std::span(m_bytes).subspan(kept, length));
        std::fill(m_bytes.end() - kPadding, m_bytes.end(), std::byte{});
        const auto width = static_cast<std::size_t>(m_field.bits);
        const std::size_t whole = ((kept + length) * 8 - m_bit) / width;
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(whole, most - m_done));
        handOut(count, field, take);
        m_bit += count * width;
        m_bytes.erase(m_bytes.begin(), m_bytes.begin() + static_cast<std::ptrdiff_t>(m_bit / 8));
        m_bit %= 8;
    }
    /// For a field without bits: all points have its minimum.
    void fill(std::uint64_t points, std::size_t field, const TakeValues& take) {
        const std::vector<std::int64_t> same(4096, m_field.minimum);
        while (m_done < points) {
            const auto count =
                static_cast<std::size_t>(std::min<std::uint64_t>(same.size(), points - m_done));
            take({field, m_done, std::span(same).first(count), {}});
            m_done += count;
        }
    }

private:
    static constexpr std::size_t kPadding = 16; // so that whole words may be read past the end

    void handOut(std::size_t count, std::size_t field, const TakeValues& take) {
        const std::byte* bytes = m_bytes.data();
        if (m_field.kind == E57Field::Kind::single || m_field.kind == E57Field::Kind::twice) {
            m_reals.resize(count); // floats begin at whole bytes
            for (std::size_t i = 0; i < count; ++i)
                m_reals[i] = m_field.kind == E57Field::Kind::single ? double{loadLittle<float>(bytes + 4 * i)}
                                                                    : loadLittle<double>(bytes + 8 * i);
            take({field, m_done, {}, m_reals});
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
            take({field, m_done, m_integers, {}});
        }
        m_done += count;
    }

    const E57Field& m_field;
    std::vector<std::byte> m_bytes = std::vector<std::byte>(kPadding);
    std::size_t m_bit = 0; ///< the first one in m_bytes that was not taken
    std::uint64_t m_done = 0;
    std::vector<std::int64_t> m_integers;
    std::vector<double> m_reals;
};

} // namespace

std::uint64_t countE57Points(E57Pages& pages, const E57Scan& scan, std::string& problem,
                             const std::stop_token& stop) {
    std::vector<std::uint64_t> bytes(scan.fields.size());
    try {
        Packets packets(pages, scan);
        for (Packet packet; packets.next(packet);) {
            if (stop.stop_requested())
                throw Cancelled();
            for (std::size_t f = 0; f < bytes.size(); ++f)
                bytes[f] += packet.lengths[f];
        }
    } catch (const E57BadPage& bad) {
        problem = bad.sentence();
    }
    std::uint64_t whole = kAllBits;
    for (std::size_t f = 0; f < bytes.size(); ++f)
        if (const auto bits = static_cast<std::uint64_t>(scan.fields[f].bits); bits > 0)
            whole = std::min(whole, bytes[f] * 8 / bits);
    // points without a single bit, which no scan has, can't be told from a claim
    return std::min(scan.points, whole == kAllBits ? 0 : whole);
}

std::uint64_t readE57Points(E57Pages& pages, const E57Scan& scan, std::uint64_t points,
                            const TakeValues& take, std::string& problem, const std::stop_token& stop) {
    std::vector<BitStream> streams(scan.fields.begin(), scan.fields.end());
    try {
        Packets packets(pages, scan);
        for (Packet packet; packets.next(packet);) {
            if (stop.stop_requested())
                throw Cancelled();
            std::uint64_t place = packet.begin;
            for (std::size_t f = 0; f < streams.size(); ++f) {
                if (scan.fields[f].bits > 0 && packet.lengths[f] > 0 && streams[f].done() < points)
                    streams[f].add(pages, place, packet.lengths[f], points, f, take);
                place += packet.lengths[f];
            }
        }
    } catch (const E57BadPage& bad) {
        problem = bad.sentence();
    }
    std::uint64_t whole = points;
    for (std::size_t f = 0; f < streams.size(); ++f)
        if (scan.fields[f].bits > 0)
            whole = std::min(whole, streams[f].done());
    for (std::size_t f = 0; f < streams.size(); ++f)
        if (scan.fields[f].bits == 0)
            streams[f].fill(whole, f, take);
    return whole;
}

} // namespace scanloupe
