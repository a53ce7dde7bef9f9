#pragma once
// Declares the options for reading scans, which several commands share.
#include "engine/io/scan_reader.h"

#include <optional>
#include <string>

namespace scanloupe {
struct OctreeReading;
struct ReadOptions;
struct Recipe;
} // namespace scanloupe

namespace scanloupe::cli {

class Command;

/// Adds --columns and --type for .bin files (KITTI, nuScenes) and --text-columns, whose values are stored in
/// `options`, and --strict. Parsing throws EngineError if the value of --text-columns is malformed.
void addReadingOptions(Command command, ReadOptions& options);
/// Adds only --strict, for commands that read meshes. See Session::strict.
void addStrictFlag(Command command);

/// Adds --octree-resolution for COPC files, whose value is stored in `text`.
/// @param hasRecipe whether the command has --range and --voxel-size
void addOctreeOption(Command command, std::string& text, bool hasRecipe);
/// Returns the part of a COPC octree to read; none without the option, so that all of it is read.
/// @param text value of --octree-resolution: "full"; a distance between points in the file's unit; or "auto",
/// a quarter of the voxel size
/// @throws EngineError for another text, and for "auto" without a voxel size
std::optional<OctreeReading> octreeReading(const std::string& text, const Recipe& recipe);

} // namespace scanloupe::cli
