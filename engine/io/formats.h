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

/// Evidence that a file has a format, in ascending order of strength.
enum class FormatEvidence : std::uint8_t {
    none,
    text,           ///< the content is plain text, which may be rows of numbers
    textWithEnding, ///< the content is plain text, and the file has an extension of the format
    content,        ///< the content matches a format without a signature
    ending,         ///< the extension is sufficient evidence, see FileFormat::endingDecides
    signature       ///< the content begins with the signature of the format
};

/// How a format writes clouds. `endings` is empty if the format can't write clouds.
struct CloudOutput {
    std::vector<std::string> endings = {}; ///< extensions in lower case with their dot
    void (*write)(std::ostream& stream, const detail::CloudJob& job) = nullptr;
    /// Adds a message without a full stop for each part of the cloud that the format can't store, except the
    /// sensor pose and LAS metadata. Null if the format stores everything else.
    void (*addLosses)(const PointCloud& cloud, const std::stop_token& stop,
                      std::vector<std::string>& losses) = nullptr;
    /// `keepsSensor`: whether the format stores the sensor pose. `keepsLasMetadata`: whether the format
    /// stores the name of the coordinate system, and the header fields and VLRs of LAS.
    bool keepsSensor = false, keepsLasMetadata = false;
};

/// How a format writes meshes. The members correspond to those of CloudOutput.
struct MeshOutput {
    std::vector<std::string> endings = {};
    void (*write)(std::ostream& stream, const detail::MeshJob& job) = nullptr;
    void (*addLosses)(bool hasColours, const WriteOptions& options,
                      std::vector<std::string>& losses) = nullptr;
};

/// How a format writes voxels. `endings` and `write` correspond to those of CloudOutput.
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
    const char* magic = nullptr;      ///< bytes at `magicOffset` in files of this type; null: not specified
    const char* magicOffset = "0";    ///< file offset of `magic`, or a range of offsets such as "0:40"
    const char* alias = nullptr;      ///< older name of the type; null if there is none
};

/// A row of the table of file formats.
struct FileFormat {
    const char* name;                           ///< name in messages, the manual and tests
    std::vector<std::string> endings = {};      ///< extensions of scans, in lower case with their dot
    std::vector<std::string> otherEndings = {}; ///< extensions that are recognized but not listed by
                                                ///< scanEndings()
    bool endingDecides = true;                  ///< whether an extension alone is sufficient evidence
    /// Judges the content. Null if the content is no evidence and only the extension counts. @param head
    /// first 4096 bytes of the file
    FormatEvidence (*evidence)(const InputFile& file, std::string_view head) = nullptr;
    /// Reads a cloud. Null if clouds can't be read. @throws EngineError with the problem and the next step;
    /// Cancelled
    std::shared_ptr<const PointCloud> (*read)(const InputFile& file, const ReadOptions& options,
                                              const std::stop_token& stop) = nullptr;
    /// Collects the faces of a mesh. Corners are row indices in the cloud that `read` returns. Null if faces
    /// can't be read. @throws EngineError with the problem and the next step; Cancelled
    void (*readFaces)(const InputFile& file, FaceCollector& faces, const std::stop_token& stop) = nullptr;
    /// Returns whether a file has levels of detail, so that `read` supports OctreeReading::view. Null if no
    /// file of the format has levels.
    bool (*hasLevels)(const InputFile& file) = nullptr;
    bool readsSubsamples = false;         ///< whether `read` supports ReadOptions::subsample; it returns null
                                          ///< for files that it can't subsample
    const char* whatIsRead = "";          ///< text for the manual: versions, encodings, parts of a mesh
    std::vector<MimeType> mimeTypes = {}; ///< MIME types that the program registers for opening
    CloudOutput clouds = {};
    MeshOutput meshes = {};
    VoxelOutput voxels = {};
};

/// Returns the table of file formats.
const std::vector<FileFormat>& fileFormats();

/// Returns the format with the strongest evidence; of several equal ones, the first in the table. Null if
/// there is no evidence for any format.
const FileFormat* detectFormat(const InputFile& file);

/// Returns the format that writes clouds, meshes or voxels with this extension, for example
/// formatWithEnding(&FileFormat::meshes, ".stl"). Null if no format does.
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
/// Returns the extensions for writing clouds, with their dot.
const std::vector<std::string>& cloudEndings();
/// Returns the extensions for writing meshes, with their dot.
const std::vector<std::string>& meshEndings();
/// Returns the extensions for writing voxels, with their dot.
const std::vector<std::string>& voxelEndings();

/// Returns the second half of messages about files of unknown format: what to do, and the supported
/// extensions.
std::string knownFormats();

} // namespace scanloupe
