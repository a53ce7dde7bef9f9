#pragma once
// Declares the detection of file formats.
#include "engine/io/input_file.h"

namespace scanloupe {

/// Format of a file.
enum class FileKind { ply, pcd, kittiBin, text, ptx, las, e57, off, vtk, obj, stl, glb, volume, unknown };

/// Detects the format by content first, by file extension second.
FileKind detectFileKind(const InputFile& file);

/// The file extension in lower case, with its dot.
std::string lowerEnding(const std::filesystem::path& path);

} // namespace scanloupe
