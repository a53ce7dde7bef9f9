// Writes tiles, and finds those that earlier runs have finished.
#include "engine/tiles/tile_store.h"

#include "engine/cloud/error.h"
#include "engine/io/common/file_checksum.h"
#include "engine/io/common/write/own_files.h"
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
static_assert(sizeof(PartBrick) == 48, "bricks are written as they lie in memory");

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

Json jsonOf(const TileFile& file) {
    return file.exists() ? Json{{"path", file.path}, {"bytes", file.bytes}, {"crc32", file.crc}} : Json();
}

TileFile fileIn(const Json& json) {
    return json.is_null() ? TileFile() : TileFile{json.at("path"), json.at("bytes"), json.at("crc32")};
}

/// The values of vertices as files have them.
std::vector<MeshChannel> channelsOf(const VertexValues& values, const SurveyAttributes& attributes) {
    std::vector<MeshChannel> channels;
    for (std::size_t c = 0; c < values.channels.size(); ++c) {
        const SurveyAttribute& attribute = attributes.list[attributes.firstChannel() + c];
        MeshChannel& channel = channels.emplace_back();
        channel.channel = {attribute.name, attribute.isClasses ? 0 : attribute.offset()};
        channel.values = values.channels[c];
        if (attribute.isClasses) {
            channel.category = classesOf(attribute);
            channel.codes.assign(channel.values.begin(), channel.values.end());
            for (float& value : channel.values)
                value += float(attribute.range.min);
        }
    }
    return channels;
}

/// The same for all tiles.
std::optional<ValueRange> fullScaleOf(const SurveyAttribute& attribute, const SurveyAttributes& all) {
    for (std::size_t c = 0; c < all.firstChannel(); ++c)
        if (&attribute == &all.list[c])
            return all.colours;
    constexpr ValueRange words{0, 65'535}; // as LAS has them: integers stay as they are
    const bool isShort = attribute.type == ScalarType::uint8 || attribute.type == ScalarType::uint16;
    return isShort ? words : attribute.range;
}

void writeGrid(const fs::path& path, const VoxelGrid& grid, const SurveyParams& params,
               const std::stop_token& stop) {
    std::vector<VoxelChannel> means;
    std::vector<std::shared_ptr<const Category>> classes;
    for (const SurveyAttribute& attribute : params.attributes.list)
        if (attribute.isClasses)
            classes.push_back(classesOf(attribute));
        else
            means.push_back({attribute.name, attribute.range.min, fullScaleOf(attribute, params.attributes)});
    WriteOptions options;
    options.origin = params.origin;
    writeVoxels(path, grid, means, classes, options, stop);
}

template <class T>
void writeAll(std::ostream& out, std::span<const T> values) {
    out.write(reinterpret_cast<const char*>(values.data()), std::streamsize(values.size_bytes()));
}

/// Bricks and seams of a tile.
struct BricksFile {
    std::vector<PartBrick> bricks;
    std::vector<SeamVertex> seams;
};

std::optional<BricksFile> readBricks(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    BricksHead head;
    std::error_code unknown;
    const std::uint64_t size = fs::file_size(path, unknown);
    if (!in.read(reinterpret_cast<char*>(&head), sizeof head) || head.magic != kMagic || unknown ||
        size != sizeof head + head.bricks * sizeof(PartBrick) + head.seams * 12)
        return std::nullopt;
    BricksFile file;
    file.bricks.resize(head.bricks);
    file.seams.resize(head.seams);
    std::vector<std::uint64_t> keys(head.seams);
    std::vector<std::uint32_t> numbers(head.seams);
    in.read(reinterpret_cast<char*>(file.bricks.data()),
            std::streamsize(file.bricks.size() * sizeof(PartBrick)));
    in.read(reinterpret_cast<char*>(keys.data()), std::streamsize(keys.size() * sizeof keys[0]));
    in.read(reinterpret_cast<char*>(numbers.data()), std::streamsize(numbers.size() * sizeof numbers[0]));
    for (std::size_t i = 0; i < keys.size(); ++i)
        file.seams[i] = {keys[i], numbers[i]};
    return in ? std::optional(std::move(file)) : std::nullopt;
}

std::string checksumOf(const std::string& text) {
    Sha256 sum;
    sum.add(std::span<const char>(text));
    return hexOf(sum.digest());
}

BricksFile bricksOrThrow(const fs::path& path) {
    if (auto file = readBricks(path))
        return *std::move(file);
    throw EngineError(fmt::format("'{}' is missing or damaged.", path.string()),
                      "Start the job again: it computes that tile once more.");
}

} // namespace

TileStore::TileStore(fs::path folder, const TilePlan& plan, const std::string& job, TileEndings endings,
                     Access access, std::string name)
    : m_folder(std::move(folder)), m_plan(plan), m_endings(std::move(endings)), m_name(std::move(name)),
      m_scratch(m_folder / fmt::format("scratch-{}-", checksumOf(job).substr(0, 16))) {
    std::error_code failed;
    fs::create_directories(m_folder / m_name, failed);
    if (!failed && keepsVoxels())
        fs::create_directories(m_folder / "voxels", failed);
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
    } else {
        writeAtomically(file, [&](std::ostream& out) { out << job; });
    }
    if (access == Access::alone) // before any rank makes a scratch folder
        ScratchFolder::removeAbandoned(m_scratch);
}

TileStore::~TileStore() {
    if (m_lock >= 0)
        ::close(m_lock); // and unlocked
}

fs::path TileStore::pathOf(std::size_t tile, const std::string& ending) const {
    const Vec3i place = m_plan.placeOf(tile);
    return m_folder / m_name / fmt::format("{}_{}_{}{}", place.x, place.y, place.z, ending);
}

fs::path TileStore::voxelPathOf(std::size_t tile) const {
    return m_folder / "voxels" / pathOf(tile, m_endings.voxels).filename();
}

TileFile TileStore::described(const fs::path& path) const {
    return {fs::relative(path, m_folder).generic_string(), fs::file_size(path), crcOf(path).value_or(0)};
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
                  fileIn(json.at("mesh")),
                  fileIn(json.at("voxel_file")),
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
        (!record->mesh.exists() && record->vertices > 0) ||
        (keepsVoxels() && !record->voxelFile.exists() && record->voxels > 0))
        return std::nullopt;
    if (!readBricks(pathOf(tile, ".bricks")))
        return std::nullopt;
    for (const TileFile* file : {&record->mesh, &record->voxelFile})
        if (file->exists() && crcOf(m_folder / file->path) != file->crc)
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
                      {},
                      parts,
                      missing};
    if (record.vertices > 0 || record.triangles > 0) { // vertices alone are corners of neighbours
        const std::vector<MeshChannel> channels = channelsOf(surface.values, m_plan.params().attributes);
        const fs::path mesh = pathOf(tile, m_endings.mesh);
        WriteOptions options;
        options.origin = m_plan.params().origin;
        options.channels = channels;
        writeMesh(mesh, surface.mesh, surface.values.colours, options, stop);
        record.mesh = described(mesh);
    } else {
        removeOwnFile(pathOf(tile, m_endings.mesh)); // of an earlier run
    }
    if (keepsVoxels() && surface.grid && surface.grid->size() > 0) {
        writeGrid(voxelPathOf(tile), *surface.grid, m_plan.params(), stop);
        record.voxelFile = described(voxelPathOf(tile));
    } else if (keepsVoxels()) {
        removeOwnFile(voxelPathOf(tile));
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
            writeAll(out, std::span<const PartBrick>(surface.bricks));
            writeAll(out, std::span<const std::uint64_t>(keys));
            writeAll(out, std::span<const std::uint32_t>(numbers));
        },
        stop);
    const Json json{{"points", record.points},
                    {"voxels", record.voxels},
                    {"vertices", record.vertices},
                    {"seam_vertices", record.seamVertices},
                    {"triangles", record.triangles},
                    {"mesh", jsonOf(record.mesh)},
                    {"voxel_file", jsonOf(record.voxelFile)},
                    {"parts", record.parts},
                    {"missing", record.missing}};
    writeAtomically(
        pathOf(tile, ".json"),
        [&](std::ostream& out) { out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n'; },
        stop);
    return record;
}

std::vector<PartBrick> TileStore::bricksOf(std::size_t tile) const {
    return bricksOrThrow(pathOf(tile, ".bricks")).bricks;
}

std::vector<SeamVertex> TileStore::seamsOf(std::size_t tile) const {
    return bricksOrThrow(pathOf(tile, ".bricks")).seams;
}

Sha256Digest TileStore::digestOf(const std::vector<TileRecord>& tiles) const {
    std::vector<PartBrick> bricks;
    for (const TileRecord& record : tiles) {
        const std::vector<PartBrick> more = bricksOf(record.tile);
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
