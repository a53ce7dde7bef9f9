// Compares projects by the work in them.
#include "gui/work/project_work.h"

#include "engine/recipe/recipe.h"
#include <QCoreApplication>
#include <algorithm>
#include <map>
#include <set>

namespace scanloupe::gui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("scanloupe::gui::ProjectWork", text);
}

/// The work on a scan, or on all scans together.
struct Made {
    Edits edits = {};
    MeasureList measures = {};
    ChosenReference reference = {};
};

/// Keyed by the index of the scan; Project::kTogether: all scans as one cloud.
std::map<int, Made> madeIn(const Project& project) {
    std::map<int, Made> all;
    for (std::size_t i = 0; i < project.scans.size(); ++i) {
        const ProjectScan& scan = project.scans[i];
        all[int(i)] = {scan.recipe.value_or(Recipe())->edits, scan.measures, scan.reference};
    }
    if (const auto& together = project.together)
        all[Project::kTogether] = {together->recipe->edits, together->measures, together->reference};
    const int shown = project.kind == ProjectKind::sequence ? std::min(project.shown, 0) : project.shown;
    all[shown] = {project.recipe->edits, project.measures, project.reference};
    return all;
}

/// Resets the parameters that merely looking at a scan changes.
void resetView(Recipe& recipe) {
    recipe.camera.reset();
    recipe.imageWidth = recipe.imageHeight = 0;
}

/// Makes the recipes of scans that are not shown comparable: a scan that was only viewed has no edits.
void normalize(std::optional<StoredRecipe>& a, std::optional<StoredRecipe>& b) {
    for (std::optional<StoredRecipe>* one : {&a, &b}) {
        const std::optional<StoredRecipe>& other = one == &a ? b : a;
        if (*one && !other && (**one)->edits.empty())
            one->reset();
        if (*one)
            resetView(**one);
    }
}

/// A project names files by their full paths.
std::filesystem::path placeOf(const std::filesystem::path& path) {
    return std::filesystem::absolute(path).lexically_normal();
}

} // namespace

bool isSameButSelection(const Edits& a, const Edits& b) {
    Edits other = b;
    other.selection = a.selection;
    return a == other;
}

QStringList workBeyond(const Project& now, const Project& saved) {
    const std::map<int, Made> all = madeIn(now), before = madeIn(saved);
    bool edits = false, measures = false, references = false, poses = false;
    const auto compare = [&](int index) {
        static const Made none;
        const auto a = all.find(index), b = before.find(index);
        const Made &one = a == all.end() ? none : a->second, &other = b == before.end() ? none : b->second;
        edits |= !isSameButSelection(one.edits, other.edits);
        measures |= one.measures != other.measures;
        references |= one.reference != other.reference;
    };
    for (const auto& [index, made] : all)
        compare(index);
    for (const auto& [index, made] : before)
        compare(index);
    for (std::size_t i = 0; i < now.scans.size(); ++i)
        poses |= now.scans[i].pose != (i < saved.scans.size() ? saved.scans[i].pose : std::nullopt);
    QStringList work;
    if (edits)
        work << tr("edits");
    if (measures)
        work << tr("measures");
    if (references)
        work << tr("unit and coordinate system");
    if (poses)
        work << tr("poses");
    return work;
}

bool isSameProject(Project now, Project saved) {
    for (Project* one : {&now, &saved}) {
        one->window.clear();
        one->steps.clear();
        one->step = 0;
        one->recipe->imageWidth = one->recipe->imageHeight = 0;
    }
    if (now.scans.size() == saved.scans.size())
        for (std::size_t i = 0; i < now.scans.size(); ++i)
            normalize(now.scans[i].recipe, saved.scans[i].recipe);
    if (workBeyond(now, saved).isEmpty()) // all scans together were only viewed
        now.together = saved.together;
    return now == saved;
}

bool sharesScan(const Project& a, const Project& b) {
    if (a.scans.front().sample)
        return a.scans.front().sample == b.scans.front().sample;
    std::set<std::filesystem::path> places;
    for (const ProjectScan& scan : a.scans)
        if (!scan.path.empty())
            places.insert(placeOf(scan.path));
    return std::ranges::any_of(b.scans, [&](const ProjectScan& scan) {
        return !scan.path.empty() && places.contains(placeOf(scan.path));
    });
}

bool hasSameScans(const Project& a, const Project& b) {
    return a.kind == b.kind &&
           std::ranges::equal(a.scans, b.scans, [](const ProjectScan& one, const ProjectScan& other) {
               if (one.sample || other.sample)
                   return one.sample == other.sample;
               return !one.path.empty() && !other.path.empty() && placeOf(one.path) == placeOf(other.path);
           });
}

} // namespace scanloupe::gui
