#pragma once
// Declares the table of file formats: how each format is recognized, read and written. To add a format,
// create a folder with its functions and add a row in formats.cpp.
#include "engine/io/common/face_collector.h"
#include "engine/io/common/input_file.h"
#include "engine/io/common/write/cloud_job.h"
#include "engine/io/common/write/mesh_job.h"
#include "engine/io/common/write/voxel_rows.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// Strength of the evidence that a file has a format, weakest first.
enum class FormatEvidence : std::uint8_t {
    none,
    text,           ///< plain text that may be rows of numbers
    textWithEnding, ///< plain text and an extension of the format
    content,        ///< the content matches a format without a signature
    ending,         ///< an extension that is sufficient, see FileFormat::endingDecides
    signature       ///< the content begins with the signature of the format
};

/// How a format writes clouds. `endings` is empty if it can't write them.
struct CloudOutput {
    std::vector<std::string> endings = {}; ///< extensions in lower case with their dot
    void (*write)(std::ostream& stream, const detail::CloudJob& job) = nullptr;
    /// Adds the losses of the cloud as messages without a full stop, except those of the sensor pose and LAS
    /// metadata; null if there are no others.
    void (*addLosses)(const PointCloud& cloud, const std::stop_token& stop,
                      std::vector<std::string>& losses) = nullptr;
    /// Whether the format stores the sensor pose; whether it stores the name of the coordinate system, header
    /// fields and VLRs of LAS.
    bool keepsSensor = false, keepsLasMetadata = false;
};

/// How a format writes meshes.
struct MeshOutput {
    std::vector<std::string> endings = {};
    void (*write)(std::ostream& stream, const detail::MeshJob& job) = nullptr;
    void (*addLosses)(bool hasColours, const WriteOptions& options,
                      std::vector<std::string>& losses) = nullptr;
};

/// How a format writes voxels.
struct VoxelOutput {
    std::vector<std::string> endings = {};
    void (*write)(std::ostream& stream, const detail::VoxelJob& job) = nullptr;
    bool holdsPoints = false; ///< whether WriteOptions::voxelPoints is supported
    bool isArrays = false;    ///< whether WriteOptions::arrays is supported
};

/// A MIME type of the format for desktops (freedesktop.org, "Shared MIME-info Database").
struct MimeType {
    const char *type, *comment;
    std::vector<std::string> endings; ///< extensions of files with this type, with their dot
    const char* magic = nullptr;      ///< bytes at the beginning of such files; null: none
    const char* magicOffset = "0";    ///< range of offsets of these bytes, such as "0:40"
    const char* alias = nullptr;      ///< older name of the type; null if there is none
};

/// A row of the table.
struct FileFormat {
    const char* name;                           ///< for messages, the manual and tests
    std::vector<std::string> endings = {};      ///< extensions of scans, in lower case with their dot
    std::vector<std::string> otherEndings = {}; ///< extensions that are recognized but not listed by
                                                ///< scanEndings()
    bool endingDecides = true;                  ///< whether an extension alone is sufficient evidence
    /// Judges the content. @param head first 4096 bytes of the file. Null if only the extension is evidence.
    FormatEvidence (*evidence)(const InputFile& file, std::string_view head) = nullptr;
    /// Reads a cloud. @throws EngineError with the problem and the next step; Cancelled. Null: clouds can't
    /// be read.
    std::shared_ptr<const PointCloud> (*read)(const InputFile& file, const ReadOptions& options,
                                              const std::stop_token& stop) = nullptr;
    /// Collects the faces of a mesh whose vertices are read by `read`, with row indices as corners. Null:
    /// faces can't be read.
    /// @throws as `read`
    void (*readFaces)(const InputFile& file, FaceCollector& faces, const std::stop_token& stop) = nullptr;
    /// Whether a file has levels of detail, so that `read` supports OctreeReading::view. Null: never.
    bool (*hasLevels)(const InputFile& file) = nullptr;
    bool readsSubsamples = false;         ///< whether `read` supports ReadOptions::subsample, or returns null
                                          ///< if it can't
    const char* whatIsRead = "";          ///< text for the manual: versions, encodings, parts of a mesh
    std::vector<MimeType> mimeTypes = {}; ///< types of files that the program registers for opening
    CloudOutput clouds = {};
    MeshOutput meshes = {};
    VoxelOutput voxels = {};
};

const std::vector<FileFormat>& fileFormats();

/// Returns the format with the strongest evidence, the first one in the table if several are equal; null
/// without any evidence.
const FileFormat* detectFormat(const InputFile& file);

/// Returns the format that writes clouds, meshes or voxels with this extension, as in
/// formatWithEnding(&FileFormat::meshes, ".stl"); null if there is none.
template <class Output>
const FileFormat* formatWithEnding(Output FileFormat::*output, const std::string& ending) {
    for (const FileFormat& format : fileFormats())
        for (const std::string& known : (format.*output).endings)
            if (known == ending)
                return &format;
    return nullptr;
}

/// Returns the extensions of readable scans, with their dot: ".ply", ".pcd", ...
const std::vector<std::string>& scanEndings();
/// Returns the extensions for writing clouds; below, those for meshes and for voxels.
const std::vector<std::string>& cloudEndings();
const std::vector<std::string>& meshEndings();
const std::vector<std::string>& voxelEndings();

/// Returns the next step for messages about a file of unknown format, with a list of the known formats.
std::string knownFormats();

} // namespace scanloupe
