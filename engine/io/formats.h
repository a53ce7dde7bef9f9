#pragma once
// Declares the table of file formats: how each is recognised, read and written. A new format is a folder with
// its functions and a row in formats.cpp.
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
    text,           ///< plain text, which may be rows of numbers
    textWithEnding, ///< plain text, and an extension of the format
    content,        ///< the content fits a format without a signature
    ending,         ///< an extension that suffices, see FileFormat::endingDecides
    signature       ///< the content begins with the signature of the format
};

/// How a format writes clouds; `endings` is empty where it writes none.
struct CloudOutput {
    std::vector<std::string> endings = {}; ///< in lower case with their dot
    void (*write)(std::ostream& stream, const detail::CloudJob& job) = nullptr;
    /// Adds the losses of the cloud, except the pose of its sensor and the metadata of LAS, a sentence each
    /// without its full stop; null where there are no others.
    void (*addLosses)(const PointCloud& cloud, const std::stop_token& stop,
                      std::vector<std::string>& losses) = nullptr;
    /// Whether the pose of the sensor is written, and the name of the CRS, header fields and VLRs of LAS.
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
    bool holdsPoints = false; ///< WriteOptions::voxelPoints are written
    bool isArrays = false;    ///< WriteOptions::arrays are heeded
};

/// A MIME type of the format, as desktops know it (freedesktop.org, "Shared MIME-info Database").
struct MimeType {
    const char *type, *comment;
    std::vector<std::string> endings; ///< extensions of files of this type, with their dot
    const char* magic = nullptr;      ///< bytes at the beginning of such files; null: none
    const char* magicOffset = "0";    ///< a range of offsets, such as "0:40"
    const char* alias = nullptr;      ///< an older name of the type; null where it has none
};

/// A row of the table.
struct FileFormat {
    const char* name;                           ///< for messages, the manual and tests
    std::vector<std::string> endings = {};      ///< extensions of scans, in lower case with their dot
    std::vector<std::string> otherEndings = {}; ///< recognised, but not in scanEndings()
    bool endingDecides = true;                  ///< an extension alone is evidence
    /// Judges the content; `head` is its first 4096 bytes. Null where only the extension is evidence.
    FormatEvidence (*evidence)(const InputFile& file, std::string_view head) = nullptr;
    /// @throws EngineError with the problem and the next step; Cancelled. Null: no clouds are read.
    std::shared_ptr<const PointCloud> (*read)(const InputFile& file, const ReadOptions& options,
                                              const std::stop_token& stop) = nullptr;
    /// Collects the faces of a mesh whose vertices `read` gives, as rows of these. Null where none are read.
    /// @throws as `read`
    void (*readFaces)(const InputFile& file, FaceCollector& faces, const std::stop_token& stop) = nullptr;
    /// Whether a file has levels of detail, so that `read` heeds OctreeReading::view. Null: none has.
    bool (*hasLevels)(const InputFile& file) = nullptr;
    bool readsSubsamples = false;         ///< `read` supports ReadOptions::subsample, or returns null for it
    const char* whatIsRead = "";          ///< for the manual: versions, encodings, which parts of a mesh
    std::vector<MimeType> mimeTypes = {}; ///< types that the program offers to open
    CloudOutput clouds = {};
    MeshOutput meshes = {};
    VoxelOutput voxels = {};
};

const std::vector<FileFormat>& fileFormats();

/// The format with the strongest evidence, of equals the first in the table; null without any evidence.
const FileFormat* detectFormat(const InputFile& file);

/// The format that writes clouds, meshes or voxels with this extension, as in
/// formatWithEnding(&FileFormat::meshes, ".stl"); null where none does.
template <class Output>
const FileFormat* formatWithEnding(Output FileFormat::*output, const std::string& ending) {
    for (const FileFormat& format : fileFormats())
        for (const std::string& known : (format.*output).endings)
            if (known == ending)
                return &format;
    return nullptr;
}

/// Extensions of the scans that can be read, with their dot: ".ply", ".pcd", ...
const std::vector<std::string>& scanEndings();
/// Extensions that clouds, meshes and voxels can be written with.
const std::vector<std::string>& cloudEndings();
const std::vector<std::string>& meshEndings();
const std::vector<std::string>& voxelEndings();

/// The next step for messages about a file of unknown format, with a list of the known ones.
std::string knownFormats();

} // namespace scanloupe
