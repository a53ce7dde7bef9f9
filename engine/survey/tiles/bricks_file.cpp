// Writes and reads the bricks of tiles as binary copies of their structs.
#include "engine/survey/tiles/bricks_file.h"

#include "engine/cloud/attribute.h"
#include "engine/cloud/error.h"
#include "engine/io/common/input_file.h"
#include "engine/io/common/write/write_atomically.h"

#include <array>
#include <zlib.h>

namespace scanloupe {

namespace {

/// The last character is the version. Version 1 had neither the tile's number nor a checksum.
constexpr std::array<char, 8> kMagic{'S', 'L', 'B', 'R', 'I', 'C', 'K', '2'};

struct Head {
    std::array<char, 8> magic = kMagic;
    std::uint64_t tile = 0, bricks = 0, seams = 0;
    std::uint32_t crc = 0, unused = 0; ///< CRC-32 of the whole file, computed with 0 in this field
};
static_assert(sizeof(Head) == 40 && sizeof(PartBrick) == 48,
              "structs are written to files as they are, without padding");

constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;
constexpr std::size_t kSeamBytes = 12;

/// The arrays that follow the header.
struct Columns {
    std::vector<std::uint64_t> keys;
    std::vector<std::uint32_t> numbers;
};

/// Updates a CRC-32 with the bytes of `values`. Empty arrays are skipped, since their pointer may be null,
/// which would make zlib return its initial value.
template <class T>
uLong added(uLong crc, std::span<const T> values) {
    return values.empty() ? crc
                          : crc32_z(crc, reinterpret_cast<const Bytef*>(values.data()), values.size_bytes());
}

std::uint32_t crcOf(Head head, std::span<const PartBrick> bricks, const Columns& seams) {
    head.crc = 0;
    uLong crc = added(crc32_z(0, nullptr, 0), std::span<const Head>(&head, 1));
    crc = added(crc, bricks);
    crc = added(crc, std::span<const std::uint64_t>(seams.keys));
    return std::uint32_t(added(crc, std::span<const std::uint32_t>(seams.numbers)));
}

template <class T>
void writeAll(std::ostream& out, std::span<const T> values) {
    out.write(reinterpret_cast<const char*>(values.data()), std::streamsize(values.size_bytes()));
}

template <class T>
void readAll(const InputFile& file, std::uint64_t& offset, std::span<T> values) {
    file.read(offset, std::as_writable_bytes(values));
    offset += values.size_bytes();
}

} // namespace

void writeBricks(const std::filesystem::path& path, std::size_t tile, std::span<const PartBrick> bricks,
                 std::span<const SeamVertex> seams, const std::stop_token& stop) {
    Columns columns;
    for (const SeamVertex& seam : seams) {
        columns.keys.push_back(seam.brick);
        columns.numbers.push_back(seam.number);
    }
    Head head;
    head.tile = tile;
    head.bricks = bricks.size();
    head.seams = seams.size();
    head.crc = crcOf(head, bricks, columns);
    writeAtomically(
        path,
        [&](std::ostream& out) {
            writeAll(out, std::span<const Head>(&head, 1));
            writeAll(out, bricks);
            writeAll(out, std::span<const std::uint64_t>(columns.keys));
            writeAll(out, std::span<const std::uint32_t>(columns.numbers));
        },
        stop);
}

std::optional<TileBricks> readBricks(const std::filesystem::path& path, std::size_t tile) {
    try {
        const InputFile file(path);
        if (file.size() < sizeof(Head) || file.size() > kMaxBytes)
            return std::nullopt;
        Head head;
        std::uint64_t offset = 0;
        readAll(file, offset, std::span<Head>(&head, 1));
        const std::uint64_t rest = file.size() - sizeof head;
        if (head.magic != kMagic || head.tile != tile || head.bricks > rest / sizeof(PartBrick) ||
            head.seams > rest / kSeamBytes ||
            head.bricks * sizeof(PartBrick) + head.seams * kSeamBytes != rest)
            return std::nullopt;
        TileBricks found;
        found.bricks.resize(head.bricks);
        Columns columns{std::vector<std::uint64_t>(head.seams), std::vector<std::uint32_t>(head.seams)};
        readAll(file, offset, std::span(found.bricks));
        readAll(file, offset, std::span(columns.keys));
        readAll(file, offset, std::span(columns.numbers));
        if (crcOf(head, found.bricks, columns) != head.crc)
            return std::nullopt;
        for (std::size_t i = 0; i < columns.keys.size(); ++i)
            found.seams.push_back({columns.keys[i], columns.numbers[i]});
        return found;
    } catch (const EngineError&) { // the file is missing, or not a regular file
        return std::nullopt;
    }
}

} // namespace scanloupe
