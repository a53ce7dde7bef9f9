#pragma once
// Declares which parts of a project are work: made by the user, and not restorable with sliders.
#include "engine/project/project.h"

#include <QStringList>
#include <optional>
#include <string>

namespace scanloupe {
struct Edits;
}

namespace scanloupe::gui {

/// The work on a scan, in addition to its recipe.
struct ScanWork {
    MeasureList measures;
    ChosenReference reference;
};

/// The open project when the user is asked whether to save it: another scan may replace it while the dialog
/// is open.
struct AskedProject {
    std::optional<Project> project; ///< none: nothing is open
    QString path;                   ///< writable file of the open project; empty: none
    std::string digest;             ///< digest of that file when it was read or written
    int replaced = 0;               ///< Work::replaced() at that time
};

/// Lists the work in one project that another one of the same scans lacks, in words: edits, measures, units
/// and coordinate systems, poses. Parameters, cameras and selections are ignored.
QStringList workBeyond(const Project& now, const Project& saved);
/// Whether there is nothing to save: ignores the history, the window's layout, and scans that were only
/// viewed.
bool isSameProject(Project now, Project saved);
/// Whether two projects are of the same files, in the same way, or of the same generated scan.
bool hasSameScans(const Project& a, const Project& b);
/// Whether two projects have a file or a generated scan in common.
bool sharesScan(const Project& a, const Project& b);

/// Whether edits have equal values, apart from the selection.
bool isSameButSelection(const Edits& a, const Edits& b);

} // namespace scanloupe::gui
