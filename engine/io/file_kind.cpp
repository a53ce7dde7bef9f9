// Detects file formats by their signatures, and by the extension where there is none.
#include "engine/io/file_kind.h"

#include "engine/io/off_header.h"
#include "engine/io/read_obj.h"
#include "engine/io/read_stl.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace scanloupe {

namespace {

/// True for bytes that may occur in a text file of numbers.
bool looksLikeText(std::string_view head) {
    return std::all_of(head.begin(), head.end(), [](unsigned char c) {
        return c >= 0x20 || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
    });
}

bool beginsPcd(std::string_view head) {
    if (head.starts_with("# .PCD"))
        return true;
    for (const char* keyword : {"VERSION", "FIELDS", "COLUMNS", "SIZE", "TYPE", "WIDTH", "POINTS", "DATA"}) {
        const std::string atStart = std::string(keyword) + " ";
        if (head.starts_with(atStart) ||
            (head.starts_with("#") && head.find("\n" + atStart) != std::string_view::npos))
            return true;
    }
    return false;
}

} // namespace

std::string lowerEnding(const std::filesystem::path& path) {
    std::string ending = path.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ending;
}

FileKind detectFileKind(const InputFile& file) {
    const std::string head = file.head(4096);
    const std::string_view view(head);
    if (view.starts_with("ply\n") || view.starts_with("ply\r") || view.starts_with("ply "))
        return FileKind::ply;
    if (view.starts_with("# vtk DataFile") ||
        (view.starts_with("<") && view.find("<VTKFile") != std::string_view::npos))
        return FileKind::vtk;
    if (beginsPcd(view))
        return FileKind::pcd;
    if (view.starts_with("LASF"))
        return FileKind::las;
    if (view.starts_with("ASTM-E57"))
        return FileKind::e57;
    if (view.starts_with("glTF"))
        return FileKind::glb;
    if (beginsOff(view))
        return FileKind::off;
    static const std::map<std::string, FileKind> endings = {
        {".ply", FileKind::ply},   {".pcd", FileKind::pcd},  {".las", FileKind::las},
        {".laz", FileKind::las},   {".e57", FileKind::e57},  {".off", FileKind::off},
        {".vtk", FileKind::vtk},   {".obj", FileKind::obj},  {".stl", FileKind::stl},
        {".glb", FileKind::glb},   {".gltf", FileKind::glb}, {".bin", FileKind::kittiBin},
        {".raw", FileKind::volume}};
    const std::string ending = lowerEnding(file.path());
    if (const auto known = endings.find(ending); known != endings.end())
        return known->second;
    if (beginsStl(file, view))
        return FileKind::stl;
    if (!looksLikeText(view))
        return FileKind::unknown;
    if (beginsObj(view))
        return FileKind::obj;
    return ending == ".ptx" ? FileKind::ptx : FileKind::text;
}

} // namespace scanloupe
