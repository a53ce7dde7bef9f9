// Defines the table of file formats, and detects the format of a file.
#include "engine/io/formats.h"

#include "engine/io/common/file_ending.h"
#include "engine/io/e57/read_e57.h"
#include "engine/io/glb/read_glb.h"
#include "engine/io/glb/write_glb.h"
#include "engine/io/kitti_bin/read_kitti_bin.h"
#include "engine/io/kitti_bin/write_kitti_bin.h"
#include "engine/io/las/read_las.h"
#include "engine/io/las/write/write_las.h"
#include "engine/io/las/write/write_las_voxels.h"
#include "engine/io/npy/write_npy.h"
#include "engine/io/obj/read_obj.h"
#include "engine/io/obj/write_obj.h"
#include "engine/io/off/read_off.h"
#include "engine/io/pcd/read_pcd.h"
#include "engine/io/pcd/write_pcd.h"
#include "engine/io/ply/read_ply.h"
#include "engine/io/ply/write_ply.h"
#include "engine/io/splat/read_splat.h"
#include "engine/io/stl/read_stl.h"
#include "engine/io/stl/write_stl.h"
#include "engine/io/text/plain_text.h"
#include "engine/io/text/read_ptx.h"
#include "engine/io/text/read_text.h"
#include "engine/io/text/write_text.h"
#include "engine/io/tileset/read_tileset.h"
#include "engine/io/vtk/read_vtk.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace scanloupe {

namespace {

using detail::CloudJob;

/// Evidence from a signature at the beginning of a file.
template <bool (*Begins)(std::string_view)>
FormatEvidence signature(const InputFile&, std::string_view head) {
    return Begins(head) ? FormatEvidence::signature : FormatEvidence::none;
}

bool isAnyText(std::string_view head) {
    return isPlainText(head) || isUtf16Text(head);
}

// The following functions judge formats without a signature.
FormatEvidence stlContent(const InputFile& file, std::string_view head) {
    return beginsStl(file, head) ? FormatEvidence::content : FormatEvidence::none;
}
FormatEvidence objContent(const InputFile&, std::string_view head) {
    return isPlainText(head) && beginsObj(head) ? FormatEvidence::content : FormatEvidence::none;
}
FormatEvidence ptxContent(const InputFile& file, std::string_view head) {
    return isAnyText(head) && lowerEnding(file.path()) == ".ptx" ? FormatEvidence::textWithEnding
                                                                 : FormatEvidence::none;
}
FormatEvidence tilesetContent(const InputFile&, std::string_view head) {
    return beginsTileset(head) ? FormatEvidence::content : FormatEvidence::none;
}
FormatEvidence textContent(const InputFile&, std::string_view head) {
    return isAnyText(head) ? FormatEvidence::text : FormatEvidence::none;
}

void writeLas(std::ostream& stream, const CloudJob& job) {
    if (job.ending == ".laz")
        detail::writeLazCloud(stream, job);
    else
        detail::writeLasCloud(stream, job);
}

std::vector<std::string> lasEndings() {
    return haveLaszip() ? std::vector<std::string>{".las", ".laz"} : std::vector<std::string>{".las"};
}

bool has(const std::vector<std::string>& endings, const std::string& ending) {
    return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

FormatEvidence evidenceOf(const FileFormat& format, const InputFile& file, std::string_view head,
                          const std::string& ending) {
    const FormatEvidence content = format.evidence ? format.evidence(file, head) : FormatEvidence::none;
    const bool named =
        format.endingDecides && (has(format.endings, ending) || has(format.otherEndings, ending));
    return std::max(content, named ? FormatEvidence::ending : FormatEvidence::none);
}

template <class Endings>
std::vector<std::string> collected(const Endings& endingsOf) {
    std::vector<std::string> all;
    for (const FileFormat& format : fileFormats()) {
        const std::vector<std::string>& endings = endingsOf(format);
        all.insert(all.end(), endings.begin(), endings.end());
    }
    return all;
}

} // namespace

const std::vector<FileFormat>& fileFormats() {
    using namespace detail;
    static const std::vector<FileFormat> formats = {
        {.name = "PLY",
         .endings = {".ply"},
         .evidence = signature<beginsPly>,
         .read = readPly,
         .readFaces = readPlyFaces,
         .readsSubsamples = true,
         .whatIsRead = "ascii, little and big endian; of a mesh, its vertices; faces as a reference",
         .mimeTypes =
             {{"model/x.ply", "PLY point cloud or mesh", {".ply"}, "ply\nformat ", "0", "application/x-ply"}},
         .clouds = {.endings = {".ply"}, .write = writePlyCloud, .addLosses = addPlyLosses},
         .meshes = {.endings = {".ply"}, .write = writePlyMesh},
         .voxels = {.endings = {".ply"}, .write = writePlyVoxels}},
        {.name = "PCD",
         .endings = {".pcd"},
         .evidence = signature<beginsPcd>,
         .read = readPcd,
         .readsSubsamples = true,
         .whatIsRead = "0.5 to 0.7: ascii, binary, compressed; organized ones, too",
         .mimeTypes = {{"application/x-pcd", "PCD point cloud", {".pcd"}, ".PCD v", "0:40"}},
         .clouds = {.endings = {".pcd"}, .write = writePcdCloud, .keepsSensor = true}},
        {.name = "LAS",
         .endings = {".las", ".laz"},
         .evidence = signature<beginsLas>,
         .read = readLas,
         .hasLevels = hasOctree,
         .readsSubsamples = true,
         .whatIsRead =
             "1.0 to 1.4: all point formats, extra bytes; COPC, also by its octree (`--octree-resolution`)",
         .mimeTypes = {{"application/vnd.las", "LAS lidar points", {".las"}, "LASF"},
                       {"application/vnd.laszip", "LAZ lidar points", {".laz"}}},
         .clouds = {.endings = lasEndings(),
                    .write = writeLas,
                    .addLosses = addLasLosses,
                    .keepsLasMetadata = true},
         .voxels = {.endings = lasEndings(), .write = writeLasVoxels}},
        {.name = "E57",
         .endings = {".e57"},
         .evidence = signature<beginsE57>,
         .read = readE57,
         .whatIsRead = "cartesian and spherical, poses, several scans",
         .mimeTypes = {{"application/x-e57", "E57 scan", {".e57"}, "ASTM-E57"}}},
        {.name = "KITTI sweep",
         .endings = {".bin"},
         .read = readKittiBin,
         .readsSubsamples = true,
         .whatIsRead = "of KITTI and nuScenes, float32 and float16 (`--columns` and `--type` if the content "
                       "is ambiguous)",
         .clouds = {.endings = {".bin"}, .write = writeKittiBinCloud, .addLosses = addKittiBinLosses}},
        {.name = "text",
         .endings = {".xyz", ".txt", ".csv", ".asc", ".pts"},
         .endingDecides = false,
         .evidence = textContent,
         .read = readText,
         .whatIsRead = "rows of numbers with any delimiter, with or without a header",
         .clouds = {.endings = {".csv", ".xyz", ".txt"}, .write = writeTextCloud},
         .voxels = {.endings = {".csv"}, .write = writeCsvVoxels}},
        {.name = "PTX",
         .endings = {".ptx"},
         .endingDecides = false,
         .evidence = ptxContent,
         .read = readPtx,
         .whatIsRead = "gridded scans with their poses"},
        {.name = "OFF",
         .endings = {".off"},
         .evidence = signature<beginsOff>,
         .read = readOff,
         .readFaces = readOffFaces,
         .whatIsRead = "ascii, binary: vertices; faces as a reference",
         .mimeTypes = {{"application/x-off", "OFF mesh or points", {".off"}}}},
        {.name = "VTK",
         .endings = {".vtk"},
         .evidence = signature<beginsVtk>,
         .read = readVtk,
         .whatIsRead = "legacy, ascii, binary: vertices with their values",
         .mimeTypes = {{"application/x-vtk", "VTK mesh or points", {".vtk"}, "# vtk DataFile"}}},
        {.name = "OBJ",
         .endings = {".obj"},
         .evidence = objContent,
         .read = readObj,
         .readFaces = readObjFaces,
         .whatIsRead = "vertices with normals and colours; faces as a reference",
         .mimeTypes = {{"model/obj", "OBJ mesh or points", {".obj"}}},
         .meshes = {.endings = {".obj"}, .write = writeObjMesh, .addLosses = addObjLosses}},
        {.name = "STL",
         .endings = {".stl"},
         .evidence = stlContent,
         .read = readStl,
         .readFaces = readStlFaces,
         .whatIsRead = "ascii, binary: vertices; faces as a reference",
         .mimeTypes = {{"model/stl", "STL mesh", {".stl"}}},
         .meshes = {.endings = {".stl"}, .write = writeStlMesh, .addLosses = addStlLosses}},
        {.name = "splat",
         .endings = {".splat"},
         .read = readSplat,
         .whatIsRead = "Gaussian splats: their centres with colour, alpha, scale and rotation"},
        {.name = "GLB",
         .endings = {".glb"},
         .evidence = signature<beginsGlb>,
         .read = readGlb,
         .readFaces = readGlbFaces,
         .whatIsRead = "binary glTF 2.0: vertices with all attributes; faces as a reference",
         .mimeTypes = {{"model/gltf-binary", "glTF mesh or points", {".glb"}, "glTF"}},
         .meshes = {.endings = {".glb"}, .write = writeGlbMesh, .addLosses = addGlbLosses}},
        {.name = "glTF",
         .endings = {".gltf"},
         .read = readGlb,
         .readFaces = readGlbFaces,
         .whatIsRead = "glTF 2.0 with external or embedded data: as GLB",
         .mimeTypes = {{"model/gltf+json", "glTF mesh or points", {".gltf"}}}},
        {.name = "3D Tiles",
         .otherEndings = {".json"},
         .endingDecides = false,
         .evidence = tilesetContent,
         .read = readTileset,
         .hasLevels = [](const InputFile&) { return true; },
         .readsSubsamples = true,
         .whatIsRead =
             "`tileset.json` of 1.0 and 1.1 with GLB or glTF: vertices, of the levels that a view needs"},
        {.name = "NPZ",
         .voxels = {.endings = {".npz"}, .write = writeNpzVoxels, .holdsPoints = true, .isArrays = true}},
        {.name = "NPY", .voxels = {.endings = {".npy"}, .write = writeNpyVoxels, .isArrays = true}},
        {.name = "raw volume", .otherEndings = {".raw"}}, // no `read`: readInput() calls readVolume()
    };
    return formats;
}

const FileFormat* detectFormat(const InputFile& file) {
    const std::string head = file.head(4096);
    const std::string ending = lowerEnding(file.path());
    const FileFormat* clearest = nullptr;
    FormatEvidence most = FormatEvidence::none;
    for (const FileFormat& format : fileFormats()) {
        const FormatEvidence evidence = evidenceOf(format, file, head, ending);
        if (evidence > most) {
            most = evidence;
            clearest = &format;
        }
    }
    return clearest;
}

const std::vector<std::string>& scanEndings() {
    static const auto endings = collected([](const FileFormat& f) -> auto& { return f.endings; });
    return endings;
}

const std::vector<std::string>& cloudEndings() {
    static const auto endings = collected([](const FileFormat& f) -> auto& { return f.clouds.endings; });
    return endings;
}

const std::vector<std::string>& meshEndings() {
    static const auto endings = collected([](const FileFormat& f) -> auto& { return f.meshes.endings; });
    return endings;
}

const std::vector<std::string>& voxelEndings() {
    static const auto endings = collected([](const FileFormat& f) -> auto& { return f.voxels.endings; });
    return endings;
}

std::string knownFormats() {
    return fmt::format("Convert it to PLY, for example with CloudCompare or PDAL. Supported extensions: {}.",
                       fmt::join(scanEndings(), ", "));
}

} // namespace scanloupe
