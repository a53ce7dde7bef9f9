// Packs points by zlib.
#include "engine/tiles/packed_points.h"

#include "engine/cloud/error.h"

#include <zlib.h>

namespace scanloupe {

namespace {

constexpr std::size_t kPlanes = sizeof(Vec3f);

[[noreturn]] void damaged() {
    throw EngineError("Points that were put on the disk can't be read back.",
                      "Start the job again: it goes on where it was.");
}

} // namespace

std::vector<char> packPoints(std::span<const Vec3f> points) {
    std::vector<unsigned char> planes(points.size() * kPlanes);
    const auto* from = reinterpret_cast<const unsigned char*>(points.data());
    for (std::size_t plane = 0; plane < kPlanes; ++plane)
        for (std::size_t i = 0; i < points.size(); ++i)
            planes[plane * points.size() + i] = from[i * kPlanes + plane];
    z_stream stream{};
    constexpr int level = 1, windowBits = 15, memory = 9;
    if (deflateInit2(&stream, level, Z_DEFLATED, windowBits, memory, Z_RLE) != Z_OK)
        throw EngineError("zlib can't be started.", "Free some memory.");
    std::vector<char> packed(deflateBound(&stream, uLong(planes.size())));
    stream.next_in = planes.data();
    stream.avail_in = uInt(planes.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = uInt(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

void unpackPoints(std::span<const char> packed, std::span<Vec3f> points) {
    std::vector<unsigned char> planes(points.size() * kPlanes);
    uLongf size = uLongf(planes.size());
    if (uncompress(planes.data(), &size, reinterpret_cast<const Bytef*>(packed.data()),
                   uLong(packed.size())) != Z_OK ||
        size != planes.size())
        damaged();
    auto* to = reinterpret_cast<unsigned char*>(points.data());
    for (std::size_t plane = 0; plane < kPlanes; ++plane)
        for (std::size_t i = 0; i < points.size(); ++i)
            to[i * kPlanes + plane] = planes[plane * points.size() + i];
}

} // namespace scanloupe
