// Opens scans of all known formats.
#include "engine/io/scan_reader.h"

#include "engine/io/file_kind.h"
#include "engine/io/read_e57.h"
#include "engine/io/read_glb.h"
#include "engine/io/read_kitti_bin.h"
#include "engine/io/read_las.h"
#include "engine/io/read_obj.h"
#include "engine/io/read_off.h"
#include "engine/io/read_pcd.h"
#include "engine/io/read_ply.h"
#include "engine/io/read_ptx.h"
#include "engine/io/read_stl.h"
#include "engine/io/read_text.h"
#include "engine/io/read_vtk.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace scanloupe {

namespace {

std::shared_ptr<const PointCloud> readKind(const InputFile& file, const ReadOptions& options,
                                           const std::stop_token& stop) {
    const std::string name = fmt::format("'{}'", file.name());
    switch (detectFileKind(file)) {
    case FileKind::ply:
        return readPly(file, options, stop);
    case FileKind::pcd:
        return readPcd(file, options, stop);
    case FileKind::kittiBin:
        return readKittiBin(file, options, stop);
    case FileKind::text:
        return readText(file, options, stop);
    case FileKind::ptx:
        return readPtx(file, options, stop);
    case FileKind::las:
        return readLas(file, options, stop);
    case FileKind::e57:
        return readE57(file, options, stop);
    case FileKind::off:
        return readOff(file, options, stop);
    case FileKind::vtk:
        return readVtk(file, options, stop);
    case FileKind::obj:
        return readObj(file, options, stop);
    case FileKind::stl:
        return readStl(file, options, stop);
    case FileKind::glb:
        return readGlb(file, options, stop);
    case FileKind::volume:
        throw EngineError(name + " is a raw volume, not a scan of points", "Open it as a volume.");
    case FileKind::unknown:
        break;
    }
    throw EngineError(name + " is of no format that is known: neither its content nor its name tells one",
                      knownFormats());
}

} // namespace

std::shared_ptr<const PointCloud> readScan(const std::filesystem::path& path, const ReadOptions& options,
                                           const std::stop_token& stop) {
    const InputFile file(path);
    return readKind(file, options, stop);
}

const std::vector<std::string>& scanEndings() {
    static const std::vector<std::string> endings = {".ply", ".pcd", ".las", ".laz", ".e57", ".bin",
                                                     ".xyz", ".txt", ".csv", ".asc", ".pts", ".ptx",
                                                     ".off", ".vtk", ".obj", ".stl", ".glb"};
    return endings;
}

std::string knownFormats() {
    return fmt::format("Convert it to PLY, for example with CloudCompare or PDAL. Known are: {}.",
                       fmt::join(scanEndings(), ", "));
}

} // namespace scanloupe
