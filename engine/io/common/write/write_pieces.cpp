// Writes output that is generated in pieces on all cores.
#include "engine/io/common/write/write_pieces.h"

#include "kernels/core/parallel.h"

#include <charconv>
#include <cmath>
#include <vector>

namespace scanloupe {

namespace {

template <class T>
void appendFloating(std::string& out, T value) {
    char text[64];
    const T size = std::abs(value);
    const bool plain = value == 0 || (size >= T(1e-7) && size < T(1e15));
    const auto end = plain ? std::to_chars(text, text + sizeof(text), value, std::chars_format::fixed)
                           : std::to_chars(text, text + sizeof(text), value);
    out.append(text, end.ptr);
}

template <class T>
void appendInteger(std::string& out, T value) {
    char text[24];
    out.append(text, std::to_chars(text, text + sizeof(text), value).ptr);
}

} // namespace

void writePieces(std::ostream& stream, std::size_t count, std::size_t grain, ProgressMeter& meter,
                 const std::stop_token& stop, const MakePiece& make) {
    const auto batch = static_cast<std::size_t>(parallelThreads()) * 4;
    std::vector<std::string> pieces(batch);
    for (std::size_t first = 0; first < count; first += batch * grain) {
        const std::size_t rows = std::min(batch * grain, count - first);
        parallelChunks(rows, grain, stop, [&](std::size_t piece, std::size_t begin, std::size_t end) {
            pieces[piece].clear();
            make(pieces[piece], first + begin, first + end);
        });
        for (std::size_t piece = 0; piece < chunkCount(rows, grain); ++piece) {
            if (stop.stop_requested())
                throw Cancelled();
            stream.write(pieces[piece].data(), static_cast<std::streamsize>(pieces[piece].size()));
        }
        meter.add(rows);
    }
    if (stop.stop_requested())
        throw Cancelled();
}

void appendNumber(std::string& out, float value) {
    appendFloating(out, value);
}
void appendNumber(std::string& out, double value) {
    appendFloating(out, value);
}
void appendNumber(std::string& out, std::int64_t value) {
    appendInteger(out, value);
}
void appendNumber(std::string& out, std::uint64_t value) {
    appendInteger(out, value);
}

} // namespace scanloupe
