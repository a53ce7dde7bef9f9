// Writes tiles, and finds those that earlier runs have finished.
#include "engine/tiles/tile_store.h"

#include "engine/cloud/error.h"
#include "engine/io/writers.h"

#include <array>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>
#include <sys/file.h>
#include <unistd.h>
#include <utility>
#include <zlib.h>

namespace scanloupe {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kJobFile = "job.json";
constexpr std::array<char, 8> kMagic{'S', 'L', 'B', 'R', 'I', 'C', 'K', '1'};

/// In front of a file of bricks.
struct BricksHead {
    std::array<char, 8> magic = kMagic;
    std::uint64_t bricks = 0, seams = 0;
};
static_assert(sizeof(TileBrick) == 48, "bricks are written as they lie in memory");

std::string textOf(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// CRC-32 of a file; none when it can't be read.
std::optional<std::uint32_t> crcOf(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return std::nullopt;
    std::vector<char> block(std::size_t{1} << 20);
    uLong crc = crc32(0, nullptr, 0);
    while (file.read(block.data(), std::streamsize(block.size())) || file.gcount() > 0)
        crc = crc32(crc, reinterpret_cast<const Bytef*>(block.data()), uInt(file.gcount()));
    return std::uint32_t(crc);
}

template <class T>
void writeAll(std::ostream& out, std::span<const T> values) {
    out.write(reinterpret_cast<const char*>(values.data()), std::streamsize(values.size_bytes()));
}

/// Bricks and seams of a tile.
struct BricksFile {
    std::vector<TileBrick> bricks;
    std::vector<SeamVertex> seams;
};

std::optional<BricksFile> readBricks(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    BricksHead head;
    std::error_code unknown;
    const std::uint64_t size = fs::file_size(path, unknown);
    if (!in.read(reinterpret_cast<char*>(&head), sizeof head) || head.magic != kMagic || unknown ||
        size != sizeof head + head.bricks * sizeof(TileBrick) + head.seams * 12)
        return std::nullopt;
    BricksFile file;
    file.bricks.resize(head.bricks);
    file.seams.resize(head.seams);
    std::vector<std::uint64_t> keys(head.seams);
    std::vector<std::uint32_t> numbers(head.seams);
    in.read(reinterpret_cast<char*>(file.bricks.data()),
            std::streamsize(file.bricks.size() * sizeof(TileBrick)));
    in.read(reinterpret_cast<char*>(keys.data()), std::streamsize(keys.size() * sizeof keys[0]));
    in.read(reinterpret_cast<char*>(numbers.data()), std::streamsize(numbers.size() * sizeof numbers[0]));
    for (std::size_t i = 0; i < keys.size(); ++i)
        file.seams[i] = {keys[i], numbers[i]};
    return in ? std::optional(std::move(file)) : std::nullopt;
}

BricksFile bricksOrThrow(const fs::path& path) {
    if (auto file = readBricks(path))
        return *std::move(file);
    throw EngineError(fmt::format("'{}' is missing or damaged.", path.string()),
                      "Start the job again: it computes that tile once more.");
}

} // namespace

TileStore::TileStore(fs::path folder, const TilePlan& plan, const std::string& job, std::string ending,
                     Access access)
    : m_folder(std::move(folder)), m_plan(plan), m_ending(std::move(ending)) {
    std::error_code failed;
    fs::create_directories(m_folder / "tiles", failed);
    if (failed)
        throw EngineError(
            fmt::format("The folder '{}' can't be made: {}.", m_folder.string(), failed.message()),
            "Name a folder that you may write to.");
    if (access == Access::alone) {
        m_lock = ::open((m_folder / "lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
        if (m_lock >= 0 && ::flock(m_lock, LOCK_EX | LOCK_NB) != 0) {
            ::close(std::exchange(m_lock, -1));
            throw EngineError(fmt::format("Another process works in '{}'.", m_folder.string()),
                              "Wait until it is done, or stop it.");
        }
    }
    const fs::path file = m_folder / kJobFile;
    if (fs::exists(file)) {
        if (textOf(file) != job)
            throw EngineError(
                fmt::format("'{}' holds the tiles of another survey, or of other values.", m_folder.string()),
                "Name another folder, or remove this one.");
        return;
    }
    writeAtomically(file, [&](std::ostream& out) { out << job; });
}

TileStore::~TileStore() {
    if (m_lock >= 0)
        ::close(m_lock); // and unlocked
}

fs::path TileStore::pathOf(std::size_t tile, const std::string& ending) const {
    const Vec3i place = m_plan.placeOf(tile);
    return m_folder / "tiles" / fmt::format("{}_{}_{}{}", place.x, place.y, place.z, ending);
}

std::optional<TileRecord> TileStore::recordOf(std::size_t tile) const {
    const Json json = Json::parse(textOf(pathOf(tile, ".json")), nullptr, false);
    if (!json.is_object())
        return std::nullopt;
    TileRecord record;
    try {
        record = {tile,
                  json.at("points"),
                  json.at("voxels"),
                  json.at("vertices"),
                  json.at("seam_vertices"),
                  json.at("triangles"),
                  json.at("file").is_null() ? std::string() : json.at("file").get<std::string>(),
                  json.at("bytes"),
                  json.at("crc32"),
                  json.at("parts"),
                  json.at("missing").get<std::vector<std::string>>()};
    } catch (const Json::exception&) {
        return std::nullopt;
    }
    return record;
}

std::optional<TileRecord> TileStore::finished(std::size_t tile, std::uint64_t parts) const {
    const std::optional<TileRecord> record = recordOf(tile);
    if (!record || record->parts != parts || !record->missing.empty() ||
        (record->file.empty() && record->vertices > 0))
        return std::nullopt;
    if (!readBricks(pathOf(tile, ".bricks")))
        return std::nullopt;
    if (!record->file.empty() && crcOf(m_folder / record->file) != record->crc)
        return std::nullopt;
    return record;
}

TileRecord TileStore::write(std::size_t tile, const TileSurface& surface, std::uint64_t parts,
                            const std::vector<std::string>& missing, const std::stop_token& stop) const {
    TileRecord record{tile,
                      surface.points,
                      surface.voxels,
                      surface.ownVertices,
                      surface.seams.size(),
                      surface.mesh.triangleCount(),
                      {},
                      0,
                      0,
                      parts,
                      missing};
    if (record.vertices > 0 || record.triangles > 0) { // vertices alone are corners of neighbours
        const fs::path mesh = pathOf(tile, m_ending);
        WriteOptions options;
        options.origin = m_plan.params().origin;
        writeMesh(mesh, surface.mesh, {}, options, stop);
        record.file = fs::relative(mesh, m_folder).generic_string();
        record.bytes = fs::file_size(mesh);
        record.crc = crcOf(mesh).value_or(0);
    }
    writeAtomically(
        pathOf(tile, ".bricks"),
        [&](std::ostream& out) {
            BricksHead head;
            head.bricks = surface.bricks.size();
            head.seams = surface.seams.size();
            std::vector<std::uint64_t> keys;
            std::vector<std::uint32_t> numbers;
            for (const SeamVertex& seam : surface.seams) {
                keys.push_back(seam.brick);
                numbers.push_back(seam.number);
            }
            writeAll(out, std::span<const BricksHead>(&head, 1));
            writeAll(out, std::span<const TileBrick>(surface.bricks));
            writeAll(out, std::span<const std::uint64_t>(keys));
            writeAll(out, std::span<const std::uint32_t>(numbers));
        },
        stop);
    const Json json{
        {"points", record.points},       {"voxels", record.voxels},
        {"vertices", record.vertices},   {"seam_vertices", record.seamVertices},
        {"triangles", record.triangles}, {"file", record.file.empty() ? Json() : Json(record.file)},
        {"bytes", record.bytes},         {"crc32", record.crc},
        {"parts", record.parts},         {"missing", record.missing}};
    writeAtomically(
        pathOf(tile, ".json"),
        [&](std::ostream& out) { out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n'; },
        stop);
    return record;
}

std::vector<TileBrick> TileStore::bricksOf(std::size_t tile) const {
    return bricksOrThrow(pathOf(tile, ".bricks")).bricks;
}

std::vector<SeamVertex> TileStore::seamsOf(std::size_t tile) const {
    return bricksOrThrow(pathOf(tile, ".bricks")).seams;
}

Sha256Digest TileStore::digestOf(const std::vector<TileRecord>& tiles) const {
    std::vector<TileBrick> bricks;
    for (const TileRecord& record : tiles) {
        const std::vector<TileBrick> more = bricksOf(record.tile);
        bricks.insert(bricks.end(), more.begin(), more.end());
    }
    return surfaceDigest(std::move(bricks));
}

std::vector<TileRecord> TileStore::tilesOf(const SurveySource& source) const {
    std::vector<char> mayHavePoints(m_plan.size());
    for (const SurveyPart& part : source.parts())
        m_plan.forTilesNear(part.bounds, [&](std::size_t tile) { mayHavePoints[tile] = 1; });
    std::vector<TileRecord> records;
    for (std::size_t tile = 0; tile < mayHavePoints.size(); ++tile)
        if (mayHavePoints[tile]) {
            const auto record = recordOf(tile);
            if (!record)
                throw EngineError(fmt::format("'{}' is not there.", pathOf(tile, ".json").string()),
                                  "Start the job again: it computes that tile.");
            records.push_back(*record);
        }
    return records;
}

} // namespace scanloupe
