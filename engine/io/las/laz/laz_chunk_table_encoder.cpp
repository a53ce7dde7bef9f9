// Encodes the chunk table of LAZ: the counterpart of laz_chunk_table_decoder.cpp.
#include "engine/io/common/little_endian.h"
#include "engine/io/las/laz/arithmetic_encoder.h"
#include "engine/io/las/laz/laz_chunks.h"

#include <bit>

namespace scanloupe {

namespace {

using namespace detail;

void encodeInteger(ArithmeticEncoder& encoder, DifferenceModels& models, std::uint32_t before,
                   std::uint32_t value) {
    const auto difference = static_cast<std::int32_t>(value - before);
    // Class k has differences from -(2^k - 1) to -2^(k-1), and from 2^(k-1) + 1 to 2^k.
    const std::uint32_t size = difference <= 0 ? 0u - static_cast<std::uint32_t>(difference)
                                               : static_cast<std::uint32_t>(difference) - 1;
    const int k = std::bit_width(size);
    encoder.symbol(models.classes[1], static_cast<std::uint32_t>(k));
    if (k == 0) {
        encoder.bit(models.one, difference == 1);
        return;
    }
    if (k == 32)
        return;
    const std::uint32_t place = difference < 0 ? static_cast<std::uint32_t>(difference) + ((1u << k) - 1)
                                               : static_cast<std::uint32_t>(difference) - 1;
    SymbolModel& high = models.high[static_cast<std::size_t>(k - 1)];
    if (k <= kHighBits) {
        encoder.symbol(high, place);
        return;
    }
    encoder.symbol(high, place >> (k - kHighBits));
    encoder.bits(k - kHighBits, place & ((1u << (k - kHighBits)) - 1));
}

} // namespace

std::string encodeLazChunkTable(std::span<const LazChunkEntry> entries) {
    std::byte head[8] = {};
    storeLittle(head + 4, static_cast<std::uint32_t>(entries.size()));
    std::string bytes(reinterpret_cast<const char*>(head), sizeof head);
    if (entries.empty())
        return bytes;
    ArithmeticEncoder encoder;
    DifferenceModels models;
    std::uint32_t before = 0;
    for (const LazChunkEntry& entry : entries) {
        encodeInteger(encoder, models, before, entry.bytes);
        before = entry.bytes;
    }
    return bytes + encoder.finish();
}

} // namespace scanloupe
