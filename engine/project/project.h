#pragma once
// Declares projects, the open scans and their view, as a value and as a file.
#include "engine/align/pose_verdict.h"
#include "engine/measure/measure.h"
#include "engine/recipe/stored_recipe.h"
#include "engine/reference/coordinate_reference.h"
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
    scan,     ///< one alone
    sequence, ///< frames of one place, one after the other
    clouds,   ///< independent clouds, each with its own recipe
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
    /// Parameters of a generated scan, which has no path, and is alone in its project.
    std::optional<synth::ScanParams> sample = {};
    bool operator==(const ProjectScan&) const = default;
};

struct Project {
    /// A state of the work, and the change in words; the first step has none.
    struct Step {
        StoredRecipe recipe;
        MeasureList measures = {};
        std::vector<bool> visible = {}; ///< for scans that are shown together; empty: unchanged
        bool isAligned = false;
        std::string words = {};
        ChosenReference reference = {};
        bool operator==(const Step&) const = default;
    };
    static constexpr int kTogether = -1; ///< pseudo-index of all visible scans as one cloud

    ProjectKind kind = ProjectKind::scan;
    std::vector<ProjectScan> scans;
    int shown = 0;             ///< index of a scan, or kTogether
    bool isAligned = false;    ///< together at the poses that were found
    StoredRecipe recipe;       ///< recipe and camera of the displayed scan
    MeasureList measures;      ///< measures of the displayed scan
    ChosenReference reference; ///< unit and coordinate system of the displayed scan, if set by the user
    /// The work on all scans as one cloud, if that was viewed but is not displayed now.
    std::optional<Step> together;
    std::vector<Step> steps;                        ///< the end of the history; empty: none
    std::size_t step = 0;                           ///< the current one
    std::vector<std::filesystem::path> otherModels; ///< listed in the project's file, but unused by recipes
    /// State of the window that saved the project: a JSON object that only the GUI interprets. "": none
    std::string window;
    bool operator==(const Project&) const = default;
};

/// The project as readable JSON. Paths are written both relative to `folder`, the folder of the project's
/// file, and absolute, so that scans are found whether or not they are moved with the project.
/// @throws EngineError when it exceeds the limits of scans, steps, measures or corners
std::string toJson(const Project& project, const std::filesystem::path& folder);
/// @param folder folder of the file @throws EngineError with the problem
Project projectFromJson(const std::string& text, const std::filesystem::path& folder);

/// Whether a file is a project, by its first bytes. False for one that can't be read.
bool isProjectFile(const std::filesystem::path& path);
/// Each scan and each model that recipes compare with is searched relative to the project, at its full path,
/// and next to the project. @throws EngineError, also when it was written by a newer version; no missing file
/// is an error
Project readProject(const std::filesystem::path& path);
/// Refuses to write a project that could not be read again. @throws EngineError, also when the project is too
/// large; Cancelled
void writeProject(const std::filesystem::path& path, const Project& project,
                  const std::stop_token& stop = {});

/// All recipes of a project: of the displayed scan, of other scans, and of the history.
std::vector<Recipe*> recipesOf(Project& project);
/// All files that a project refers to: scans that are not generated, and models and CUDA files of its
/// recipes. For OutputCheck.
std::vector<std::filesystem::path> filesOf(const Project& project);
/// The scans of a project that do not exist.
std::vector<std::filesystem::path> missingScans(const Project& project);
/// The models of its recipes that do not exist, each once.
std::vector<std::filesystem::path> missingModels(const Project& project);
/// Searches the missing scans and models by their names in a folder, and in its subfolders up to four levels
/// Searches the missing scans and models by their names in a folder, and in its subfolders up to four levels
/// deep. @returns the number of files found
std::size_t findMissingFiles(Project& project, const std::filesystem::path& folder);

} // namespace scanloupe
