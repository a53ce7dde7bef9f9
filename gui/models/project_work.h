#pragma once
// Declares what of a project is work: what its user has made, and what sliders don't bring back.
#include "engine/project/project.h"

#include <QStringList>
#include <optional>
#include <string>

namespace scanloupe::gui {

/// What was made of a scan, next to its recipe.
struct ScanWork {
    MeasureList measures;
    ChosenReference reference;
};

/// What is open as people are asked whether to save it: another scan may come while a dialog is open.
struct AskedProject {
    std::optional<Project> project; ///< none: nothing is open
    QString path;                   ///< of the open project; empty: there is none that can be written
    std::string digest;             ///< of that file, as it was read or written
    int replaced = 0;               ///< how often another scan had replaced what was open
};

/// What was made in one project and not in another one of the same scans, in words: edits, measures, units
/// and coordinate systems, poses. Parameters, cameras and what is selected don't count.
QStringList workBeyond(const Project& now, const Project& saved);
/// Whether there is nothing to save: history, looks of the window, and scans that were only looked at are no
/// changes.
bool isSameProject(Project now, Project saved);
/// Whether two projects are of the same files, in the same way, or of the same generated scan.
bool hasSameScans(const Project& a, const Project& b);
/// Whether two projects have a file or a generated scan in common.
bool sharesScan(const Project& a, const Project& b);

/// Whether edits are the same by their values, whatever is selected.
bool isSameButSelection(const Edits& a, const Edits& b);

} // namespace scanloupe::gui
