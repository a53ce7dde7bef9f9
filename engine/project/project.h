#pragma once
// Declares projects: which scans are open, and how they are looked at, as a value and as a file.
#include "engine/align/pose_verdict.h"
#include "engine/measure/measure.h"
#include "engine/recipe/recipe.h"
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

/// What the scans of a project are to each other.
enum class ProjectKind : std::uint8_t {
    scan,     ///< one alone
    sequence, ///< frames of one place, one after the other
    clouds,   ///< each is looked at by itself, with its own recipe
    place,    ///< scans of one place, shown together
};

struct ProjectScan {
    std::filesystem::path path;              ///< empty: it is generated
    bool isVisible = true;                   ///< among those that are shown together
    std::optional<RigidTransform> pose = {}; ///< T_world_scan, found by an alignment
    std::optional<PoseVerdict> verdict = {}; ///< of that alignment; a wrong pose is not kept
    /// Of a cloud that was looked at and is not shown, with its camera. Frames of a sequence share a recipe,
    /// measures and a reference: the first has them while all are shown together.
    std::optional<Recipe> recipe = {};
    MeasureList measures = {};
    ChosenReference reference = {};
    /// Parameters of a generated scan, which has no path, and is alone in its project.
    std::optional<synth::ScanParams> sample = {};
    bool operator==(const ProjectScan&) const = default;
};

struct Project {
    /// A state of the work, and what it changed, in words; the first has none.
    struct Step {
        Recipe recipe;
        MeasureList measures = {};
        std::vector<bool> visible = {}; ///< scans, of those that are shown together; empty: as before
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
    Recipe recipe;             ///< of what is shown, with its camera
    MeasureList measures;      ///< the same
    ChosenReference reference; ///< of what is shown: unit and coordinate system, where people have set them
    /// Of all scans as one cloud, where that was looked at and is not shown.
    std::optional<Step> together;
    std::vector<Step> steps;                        ///< the end of the history; empty: none
    std::size_t step = 0;                           ///< the current one
    std::vector<std::filesystem::path> otherModels; ///< that its file lists and no recipe compares with
    /// Of the window that saved it: a JSON object that only windows understand. "": none
    std::string window;
    bool operator==(const Project&) const = default;
};

/// The project as readable JSON. Paths are written relative to `folder`, where the file will lie, and in
/// full: a project that moves with its scans finds them, and so does one that moves alone.
/// @throws EngineError when it has more scans, steps, measures or corners than a project may have
std::string toJson(const Project& project, const std::filesystem::path& folder);
/// @param folder where the file lies
/// @throws EngineError naming what is wrong
Project projectFromJson(const std::string& text, const std::filesystem::path& folder);

/// Whether a file is a project, by its first bytes. False for one that can't be read.
bool isProjectFile(const std::filesystem::path& path);
/// Each scan and each model that recipes compare with is looked for relative to the project, at its full
/// path, and beside the project. @throws EngineError, also when it was written by a newer version; no missing
/// file is an error
Project readProject(const std::filesystem::path& path);
/// Writes nothing that could not be read again. @throws EngineError, also when the project is too large;
/// Cancelled
void writeProject(const std::filesystem::path& path, const Project& project,
                  const std::stop_token& stop = {});

/// All of its recipes: of what is shown, of other scans, and of the history.
std::vector<Recipe*> recipesOf(Project& project);
/// All files that a project refers to: scans that are not generated, and models and CUDA files of its
/// recipes. For OutputCheck.
std::vector<std::filesystem::path> filesOf(const Project& project);
/// The scans of a project that do not exist.
std::vector<std::filesystem::path> missingScans(const Project& project);
/// The models of its recipes that do not exist, each once.
std::vector<std::filesystem::path> missingModels(const Project& project);
/// Looks for the missing scans and models by their names in a folder, and in its subfolders up to four deep.
/// Returns how many were found.
std::size_t findMissingFiles(Project& project, const std::filesystem::path& folder);

} // namespace scanloupe
