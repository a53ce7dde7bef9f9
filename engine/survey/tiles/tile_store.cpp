// Writes tiles, and finds tiles finished by earlier runs.
#include "engine/survey/tiles/tile_store.h"

#include "engine/cloud/attribute.h"
#include "engine/cloud/categories.h"
#include "engine/cloud/error.h"
#include "engine/io/common/bounded_json.h"
#include "engine/io/common/input_file.h"
#include "engine/io/common/write/own_files.h"
#include "engine/io/common/write/write_atomically.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/writers.h"
#include "engine/survey/tiles/surface_digest.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <string_view>
#include <utility>
#include <zlib.h>

namespace scanloupe {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kVoxels = "voxels"; ///< name of a folder
constexpr const char* kCrc = "crc32";     ///< key of the checksum, which covers the text of the record
                                          ///< without this key
constexpr std::uint64_t kMaxRecord = std::uint64_t{64} << 20; // bytes

/// Returns the CRC-32 of a file; nullopt if it can't be read, or is a link or not a regular file.
std::optional<std::uint32_t> crcOf(const fs::path& path) {
    std::error_code unknown;
    if (fs::symlink_status(path, unknown).type() != fs::file_type::regular)
        return std::nullopt;
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return std::nullopt;
    std::vector<char> block(std::size_t{1} << 20);
    uLong crc = crc32(0, nullptr, 0);
    while (file.read(block.data(), std::streamsize(block.size())) || file.gcount() > 0)
        crc = crc32(crc, reinterpret_cast<const Bytef*>(block.data()), uInt(file.gcount()));
    return std::uint32_t(crc);
}

/// Whether a possibly damaged file begins like a record of the job.
bool beginsLikeRecord(const fs::path& file) {
    const std::string head = headOf(file);
    static const std::regex begin("\\{\n  \"points\": [0-9]+,\n  \"voxels\": [0-9]");
    constexpr std::size_t longest = 80; // maximum length of a match, bytes
    return isBlank(head) || std::string_view("{\n  \"points\": ").starts_with(head) ||
           std::regex_search(head.substr(0, longest), begin, std::regex_constants::match_continuous);
}

bool beginsLikeBricks(const fs::path& file) {
    constexpr std::string_view begin = "SLBRICK"; // common prefix of all versions
    const std::string head = headOf(file);
    return isBlank(head) || head.starts_with(begin) || begin.starts_with(head);
}

/// Whether a possibly damaged mesh or voxel file begins like a file of this program: with the program's name,
/// or for formats without a comment with the format's signature.
bool beginsLikeOutput(const fs::path& file) {
    const std::string head = headOf(file), ending = file.extension().string();
    if (isBlank(head))
        return true;
    if (ending == ".csv")
        return head.starts_with("ix,iy,iz,count,");
    if (ending == ".npz")
        return head.starts_with("PK");
    if (ending == ".npy")
        return head.starts_with("\x93NUMPY");
    return head.find("Scanloupe") != std::string::npos;
}

/// Whether files of this format contain the program's name.
bool hasMark(const fs::path& file) {
    constexpr std::array marked{".ply", ".glb", ".las", ".laz"};
    return std::ranges::find(marked, file.extension().string()) != marked.end();
}

Json jsonOf(const TileFile& file) {
    return file.exists() ? Json{{"path", file.path}, {"bytes", file.bytes}, {"crc32", file.crc}} : Json();
}

TileFile fileIn(const Json& json) {
    return json.is_null() ? TileFile() : TileFile{json.at("path"), json.at("bytes"), json.at("crc32")};
}

/// Returns the vertex attributes in the form that mesh files store.
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

/// Returns the attribute range that is mapped to the full scale of a colour or intensity. It is the same for
/// all tiles.
std::optional<ValueRange> fullScaleOf(const SurveyAttribute& attribute, const SurveyAttributes& all) {
    for (std::size_t c = 0; c < all.firstChannel(); ++c)
        if (&attribute == &all.list[c])
            return all.colours;
    constexpr ValueRange words{0, 65'535}; // range of 16-bit fields in LAS, which store integers unchanged
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

std::uint32_t crcOfText(const std::string& text) {
    return std::uint32_t(
        crc32_z(crc32_z(0, nullptr, 0), reinterpret_cast<const Bytef*>(text.data()), text.size()));
}

/// Whether the bricks match the counts in the record.
bool matches(const TileRecord& record, const TileBricks& bricks) {
    std::uint64_t vertices = 0, triangles = 0;
    for (const PartBrick& brick : bricks.bricks) {
        vertices += brick.vertices;
        triangles += brick.triangles;
    }
    return vertices == record.vertices && triangles == record.triangles &&
           bricks.seams.size() == record.seamVertices;
}

std::string textOf(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

} // namespace

TileStore::TileStore(fs::path folder, const TilePlan& plan, const std::string& job, TileEndings endings,
                     Access access)
    : m_job(std::make_shared<JobFolder>(std::move(folder), job, access)), m_plan(plan),
      m_endings(std::move(endings)), m_name("tiles") {
    if (access == Access::shared)
        return;
    m_job->claim(keepsVoxels() ? std::vector<std::string>{m_name, kVoxels} : std::vector{m_name});
    m_job->makeFolder(m_name);
    if (keepsVoxels())
        m_job->makeFolder(kVoxels);
}

TileStore::TileStore(const TileStore& whole, std::string name)
    : m_job(whole.m_job), m_plan(whole.m_plan), m_endings{whole.m_endings.mesh}, m_name(std::move(name)) {
    m_job->claim({m_name});
    m_job->makeFolder(m_name);
}

fs::path TileStore::nameOf(std::size_t tile, const std::string& ending) const {
    const Vec3i place = m_plan.placeOf(tile);
    return fs::path(m_name) / fmt::format("{}_{}_{}{}", place.x, place.y, place.z, ending);
}

fs::path TileStore::meshNameOf(std::size_t tile) const {
    return nameOf(tile, m_endings.mesh);
}

fs::path TileStore::voxelNameOf(std::size_t tile) const {
    return kVoxels / nameOf(tile, m_endings.voxels).filename();
}

TileFile TileStore::described(const fs::path& name) const {
    const fs::path path = folder() / name;
    return {name.generic_string(), fs::file_size(path), crcOf(path).value_or(0)};
}

std::optional<TileRecord> TileStore::recordOf(std::size_t tile) const {
    TileRecord record;
    try {
        Json json =
            parseBoundedJson(readSmallFile(folder() / nameOf(tile, ".json"), kMaxRecord), "The record");
        const std::uint32_t crc = json.at(kCrc);
        json.erase(kCrc);
        if (crcOfText(textOf(json)) != crc)
            return std::nullopt;
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
    } catch (const Json::exception&) { // written by another version
        return std::nullopt;
    } catch (const EngineError&) { // missing, unreadable, or not JSON
        return std::nullopt;
    }
    const auto isNamed = [](const TileFile& file, const fs::path& name) {
        return !file.exists() || file.path == name.generic_string();
    };
    // Rejects records that name other files.
    if (!isNamed(record.mesh, meshNameOf(tile)) || !isNamed(record.voxelFile, voxelNameOf(tile)))
        return std::nullopt;
    return record;
}

std::optional<TileRecord> TileStore::finished(std::size_t tile, std::uint64_t parts) const {
    requireOwn(tile); // checked now and not only after hours of computing
    const std::optional<TileRecord> record = recordOf(tile);
    if (!record || record->parts != parts || !record->missing.empty() ||
        (!record->mesh.exists() && record->vertices > 0) ||
        (keepsVoxels() && !record->voxelFile.exists() && record->voxels > 0))
        return std::nullopt;
    const auto bricks = readBricks(folder() / nameOf(tile, ".bricks"), tile);
    if (!bricks || !matches(*record, *bricks))
        return std::nullopt;
    for (const TileFile* file : {&record->mesh, &record->voxelFile})
        if (file->exists() && !isAsWritten(*file))
            return std::nullopt;
    return record;
}

bool TileStore::isAsWritten(const TileFile& file) const {
    std::error_code unknown;
    return fs::file_size(folder() / file.path, unknown) == file.bytes &&
           crcOf(folder() / file.path) == file.crc;
}

void TileStore::requireOwn(std::size_t tile) const {
    const fs::path mesh = folder() / meshNameOf(tile), bricksFile = folder() / nameOf(tile, ".bricks"),
                   recordFile = folder() / nameOf(tile, ".json"), voxels = folder() / voxelNameOf(tile);
    std::vector<fs::path> files{mesh, bricksFile, recordFile};
    if (keepsVoxels())
        files.push_back(voxels);
    for (const fs::path& file : files)
        requirePlainFile(file);
    const std::optional<TileRecord> record = recordOf(tile);
    const std::optional<TileBricks> bricks = readBricks(bricksFile, tile);
    // Whether the records or the content of a file show that the job has written it. Tiles without a surface
    // or without voxels have no such file.
    const auto isOwn = [&](const fs::path& file) {
        if (file == recordFile)
            return record || (bricks && beginsLikeRecord(file));
        if (file == bricksFile)
            return bricks || (record && beginsLikeBricks(file));
        if (!record)
            return bricks && (file == voxels || !bricks->bricks.empty()) && beginsLikeOutput(file);
        const TileFile& known = file == mesh ? record->mesh : record->voxelFile;
        return known.exists() &&
               ((hasMark(file) && beginsLikeOutput(file)) || isBlank(headOf(file)) || isAsWritten(known));
    };
    for (const fs::path& file : files)
        if (fs::exists(fs::symlink_status(file)) && !isOwn(file))
            throw EngineError(fmt::format("The job writes a tile to '{}', but this file exists and does not "
                                          "belong to the job.",
                                          file.string()),
                              "Move the file away, or name another output folder.");
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
    const fs::path mesh = folder() / meshNameOf(tile), voxels = folder() / voxelNameOf(tile),
                   json = folder() / nameOf(tile, ".json");
    requireOwn(tile);
    const bool hasMesh =
        record.vertices > 0 || record.triangles > 0; // a tile without own vertices may still have triangles
                                                     // between neighbours' vertices
    const bool hasVoxels = keepsVoxels() && surface.grid && surface.grid->size() > 0;
    if (!hasMesh)
        removeOwnFile(mesh); // may exist from an earlier run
    if (keepsVoxels() && !hasVoxels)
        removeOwnFile(voxels);
    // Written first: if the process is killed, it identifies the other files of the tile as the job's.
    writeBricks(folder() / nameOf(tile, ".bricks"), tile, surface.bricks, surface.seams, stop);
    removeOwnFile(json); // describes the bricks of an earlier run
    if (hasMesh) {
        const std::vector<MeshChannel> channels = channelsOf(surface.values, m_plan.params().attributes);
        WriteOptions options;
        options.origin = m_plan.params().origin;
        options.channels = channels;
        writeMesh(mesh, surface.mesh, surface.values.colours, options, stop);
        record.mesh = described(meshNameOf(tile));
    }
    if (hasVoxels) {
        writeGrid(voxels, *surface.grid, m_plan.params(), stop);
        record.voxelFile = described(voxelNameOf(tile));
    }
    Json document{{"points", record.points},
                  {"voxels", record.voxels},
                  {"vertices", record.vertices},
                  {"seam_vertices", record.seamVertices},
                  {"triangles", record.triangles},
                  {"mesh", jsonOf(record.mesh)},
                  {"voxel_file", jsonOf(record.voxelFile)},
                  {"parts", record.parts},
                  {"missing", record.missing}};
    document[kCrc] = crcOfText(textOf(document));
    writeAtomically(
        json, [&](std::ostream& out) { out << textOf(document) << '\n'; }, stop);
    return record;
}

TileBricks TileStore::bricksOrThrow(std::size_t tile) const {
    const fs::path path = folder() / nameOf(tile, ".bricks");
    if (auto found = readBricks(path, tile))
        return *std::move(found);
    throw EngineError(fmt::format("The tile file '{}' is missing or damaged.", path.string()),
                      "Run the job again: it recomputes missing and damaged tiles.");
}

std::vector<PartBrick> TileStore::bricksOf(std::size_t tile) const {
    return bricksOrThrow(tile).bricks;
}

std::vector<SeamVertex> TileStore::seamsOf(std::size_t tile) const {
    return bricksOrThrow(tile).seams;
}

Sha256Digest TileStore::digestOf(const std::vector<TileRecord>& tiles) const {
    SurfaceDigest sum(job().scratch());
    for (const TileRecord& record : tiles)
        sum.add(bricksOf(record.tile));
    return sum.finish();
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
                throw EngineError(fmt::format("The tile record '{}' is missing or damaged.",
                                              (folder() / nameOf(tile, ".json")).string()),
                                  "Run the job again: it recomputes missing and damaged tiles.");
            records.push_back(*record);
        }
    return records;
}

} // namespace scanloupe
