#pragma once
// Declares the options for reading scans, which several commands have.
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

/// Adds --columns and --type of .bin files (KITTI, nuScenes) and --text-columns, which are stored in
/// `options`, and
/// --strict. Parsing throws EngineError where --text-columns is malformed.
void addReadingOptions(Command command, ReadOptions& options);
/// Adds --strict alone, for commands that read meshes. See Session::strict.
void addStrictFlag(Command command);

/// Adds --octree-resolution of COPC files, which is stored in `text`.
/// @param hasRecipe whether the command has --range and --voxel-size
void addOctreeOption(Command command, std::string& text, bool hasRecipe);
/// The part of an octree to read; none without the option: all of it.
/// @param text "full", or metres between points; "auto": a quarter of the voxel size
/// @throws EngineError for another text, and for "auto" without a voxel size
std::optional<OctreeReading> octreeReading(const std::string& text, const Recipe& recipe);

} // namespace scanloupe::cli
