#pragma once
#include "engine/io/input_file.h"

namespace scanloupe {

/// What a file is.
enum class FileKind { ply, pcd, kittiBin, text, ptx, las, e57, off, vtk, obj, stl, glb, volume, unknown };

/// Told by content first, by name second.
FileKind fileKind(const InputFile& file);

/// The ending of a name in lower case, with its dot.
std::string lowerEnding(const std::filesystem::path& path);

} // namespace scanloupe
