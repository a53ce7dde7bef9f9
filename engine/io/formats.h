#pragma once
// Declares the table of file formats: how each is recognised, read and written. A new format is a folder with
// its functions and a row in formats.cpp.
#include "engine/io/common/cloud_job.h"
#include "engine/io/common/input_file.h"
#include "engine/io/common/mesh_job.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/voxel_rows.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

/// How clearly a file is of a format, in ascending order.
enum class FormatEvidence : std::uint8_t {
    none,
    text,           ///< plain text, which is taken for rows of numbers
    textWithEnding, ///< plain text with an extension of the format
    content,        ///< looks like the format, without a signature
    ending,         ///< an extension that only this format has
    signature
};

/// What a format holds of clouds; `endings` is empty where it holds none.
struct CloudOutput {
    std::vector<std::string> endings = {}; ///< in lower case with their dot
    void (*write)(std::ostream& stream, const detail::CloudJob& job) = nullptr;
    /// Adds what the cloud would lose, a sentence each without its full stop; null where it loses nothing.
    void (*addLosses)(const PointCloud& cloud, const std::stop_token& stop,
                      std::vector<std::string>& losses) = nullptr;
    bool keepsSensor = false, keepsLasMetadata = false;
};

/// What a format holds of meshes.
struct MeshOutput {
    std::vector<std::string> endings = {};
    void (*write)(std::ostream& stream, const detail::MeshJob& job) = nullptr;
    void (*addLosses)(bool hasColours, const WriteOptions& options,
                      std::vector<std::string>& losses) = nullptr;
};

/// What a format holds of voxels.
struct VoxelOutput {
    std::vector<std::string> endings = {};
    void (*write)(std::ostream& stream, const detail::VoxelJob& job) = nullptr;
};

/// A MIME type of the format, as desktops know it (freedesktop.org, "Shared MIME-info Database").
struct MimeType {
    const char *type, *comment;
    std::vector<std::string> endings; ///< of files of this type, with their dot
    const char* magic = nullptr;      ///< bytes that they begin with; null where they have none
    const char* magicOffset = "0";    ///< a range of offsets, such as "0:40"
    const char* alias = nullptr;
};

/// A row of the table.
struct FileFormat {
    const char* name;                           ///< for messages and tests
    std::vector<std::string> endings = {};      ///< of scans, in lower case with their dot
    std::vector<std::string> otherEndings = {}; ///< recognised, but not offered
    bool endingDecides = true;                  ///< whether an extension alone is evidence
    /// The evidence of the content, of which `head` is the beginning; null where only the extension tells.
    FormatEvidence (*evidence)(const InputFile& file, std::string_view head) = nullptr;
    /// @throws EngineError with what is wrong and what to do next; Cancelled. Null where nothing is read.
    std::shared_ptr<const PointCloud> (*read)(const InputFile& file, const ReadOptions& options,
                                              const std::stop_token& stop) = nullptr;
    const char* whatIsRead = "";          ///< for the README: versions, encodings, what is taken of a mesh
    std::vector<MimeType> mimeTypes = {}; ///< that the program offers to open
    CloudOutput clouds = {};
    MeshOutput meshes = {};
    VoxelOutput voxels = {};
};

const std::vector<FileFormat>& fileFormats();

/// The format with the clearest evidence, of several the first in the table; null where no format has any.
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
