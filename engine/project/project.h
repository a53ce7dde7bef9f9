#pragma once
// Declares projects: the open scans and their view, as a value and as a file.
#include "engine/align/pose_verdict.h"
#include "engine/cloud/reference/coordinate_reference.h"
#include "engine/inspect/measure/measure.h"
#include "engine/recipe/stored_recipe.h"
#include "kernels/core/rigid_transform.h"
#include "kernels/synth/scan_generator.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

/// The relation between the scans of a project.
enum class ProjectKind : std::uint8_t {
    scan,     ///< a single scan
    sequence, ///< frames of a place, shown one at a time
    clouds,   ///< independent scans, each with its own recipe
    place,    ///< scans of one place, shown together
};

struct ProjectScan {
    std::filesystem::path path;              ///< empty: it is generated
    bool isVisible = true;                   ///< has an effect only while scans are shown together
    std::optional<RigidTransform> pose = {}; ///< T_world_scan, found by an alignment
    std::optional<PoseVerdict> verdict = {}; ///< verdict on that alignment; a wrong pose is not kept
    /// Recipe and camera of a cloud that was viewed but is not displayed now. Frames of a sequence share a
    /// recipe, measures and a reference, stored with the first while all are shown together.
    std::optional<StoredRecipe> recipe = {};
    MeasureList measures = {};
    ChosenReference reference = {};
    /// Parameters of a generated scan, which has no path and must be the only scan of its project.
    std::optional<synth::ScanParams> sample = {};
    bool operator==(const ProjectScan&) const = default;
};

struct Project {
    /// A state of the history, with a description of the change that led to it; the first step has no
    /// description.
    struct Step {
        StoredRecipe recipe;
        MeasureList measures = {};
        std::vector<bool> visible = {}; ///< which of the scans that are shown together are visible; empty:
                                        ///< unchanged
        bool isAligned = false;
        std::string words = {};
        ChosenReference reference = {};
        bool operator==(const Step&) const = default;
    };
    static constexpr int kTogether = -1; ///< pseudo-index for all visible scans as one cloud

    ProjectKind kind = ProjectKind::scan;
    std::vector<ProjectScan> scans;
    int shown = 0;             ///< index of a scan, or kTogether
    bool isAligned = false;    ///< together at the poses that were found
    StoredRecipe recipe;       ///< recipe and camera of the displayed scan
    MeasureList measures;      ///< measures of the displayed scan
    ChosenReference reference; ///< unit and coordinate system of the displayed scan, if set by the user
    /// State of all scans shown as one cloud, if this was viewed before but is not displayed now.
    std::optional<Step> together;
    std::vector<Step> steps;                        ///< the last states of the history; empty: none
    std::size_t step = 0;                           ///< index of the current state
    std::vector<std::filesystem::path> otherModels; ///< models that the project's file lists but no recipe
                                                    ///< uses
    /// State of the window that saved the project: a JSON object that only the GUI interprets. Empty: none.
    std::string window;
    bool operator==(const Project&) const = default;
};

/// Writes a project as readable JSON. Each path is written twice, relative to `folder` and absolute, so that
/// scans are found whether or not they are moved with the project.
/// @param folder folder of the project's file
/// @throws EngineError if the project exceeds the limits of scans, steps, measures or corners
std::string toJson(const Project& project, const std::filesystem::path& folder);
/// Reads a project from JSON. @param folder folder of the project's file
/// @throws EngineError with the problem
Project projectFromJson(const std::string& text, const std::filesystem::path& folder);

/// Whether a file is a project, judged by its first bytes. False if it can't be read.
bool isProjectFile(const std::filesystem::path& path);
/// Reads a project file. Each scan, and each model that recipes compare with, is searched relative to the
/// project, at its absolute path, and next to the project. A missing file is not an error.
/// @throws EngineError, also if a newer version has written the project
Project readProject(const std::filesystem::path& path);
/// Writes a project file, unless the file could not be read again. @throws EngineError, also if the project
/// is too large; Cancelled
void writeProject(const std::filesystem::path& path, const Project& project,
                  const std::stop_token& stop = {});

/// Returns all recipes of a project: those of the displayed scan, of other scans, and of the history.
std::vector<Recipe*> recipesOf(Project& project);
/// Returns all files that a project refers to, for OutputCheck: scans that are not generated, and the models
/// and CUDA files of its recipes.
std::vector<std::filesystem::path> filesOf(const Project& project);
/// Returns the scans of a project that do not exist.
std::vector<std::filesystem::path> missingScans(const Project& project);
/// Returns the models of the project's recipes that do not exist, each once.
std::vector<std::filesystem::path> missingModels(const Project& project);
/// Searches the missing scans and models by their names in a folder, and in its subfolders up to four levels
/// deep. @returns the number of files found
std::size_t findMissingFiles(Project& project, const std::filesystem::path& folder);

} // namespace scanloupe
