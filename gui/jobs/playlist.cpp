// Shows, steps through and plays the scans that are opened together, and skips unreadable ones.
#include "gui/jobs/playlist.h"

#include "engine/align/read_together.h"
#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/recipe/recipe.h"
#include "engine/run/pipeline/pipeline.h"
#include "gui/base/raw_text.h"
#include "gui/jobs/pipeline_runner.h"

#include <algorithm>

namespace scanloupe::gui {

namespace {

Playlist::Kind kindOf(ProjectKind kind) {
    switch (kind) {
    case ProjectKind::sequence:
        return Playlist::Kind::sequence;
    case ProjectKind::place:
        return Playlist::Kind::place;
    case ProjectKind::scan:
    case ProjectKind::clouds:
        break;
    }
    return Playlist::Kind::clouds;
}

ProjectKind kindOf(Playlist::Kind kind) {
    switch (kind) {
    case Playlist::Kind::sequence:
        return ProjectKind::sequence;
    case Playlist::Kind::place:
        return ProjectKind::place;
    case Playlist::Kind::clouds:
        break;
    }
    return ProjectKind::clouds;
}

} // namespace

Playlist::Playlist(ScanLoader& loader, const PipelineRunner& runner, QObject* parent)
    : QObject(parent), m_loader(loader), m_runner(runner) {
    m_next.setSingleShot(true);
    connect(&m_next, &QTimer::timeout, this, [this] { step(1); });
    connect(&m_loader, &ScanLoader::openingEnded, this, &Playlist::onOpeningEnded);
    connect(&m_loader, &ScanLoader::firstLookShown, this, &Playlist::onFirstLookShown);
    connect(&m_loader, &ScanLoader::scansChanged, this, [this] {
        if (!m_list)
            return;
        reportProblems(*m_list);
        emit detailsChanged();
    });
}

void Playlist::open(const std::vector<std::filesystem::path>& scans, Kind kind,
                    std::vector<LeftOut> leftOut) {
    auto list = std::make_shared<List>(List{m_loader.cacheOf(scans), kind, std::move(leftOut)});
    list->recipes.resize(scans.size());
    list->reported.resize(scans.size());
    list->visible.assign(scans.size(), true);
    if (kind == Kind::place)
        startTogether(list);
    else
        startAttempt(list, {0, 1});
}

void Playlist::open(const Project& project) {
    std::vector<std::filesystem::path> scans;
    for (const ProjectScan& scan : project.scans)
        scans.push_back(scan.path);
    auto list = std::make_shared<List>(List{m_loader.cacheOf(scans), kindOf(project.kind), {}});
    list->reported.resize(scans.size());
    for (const ProjectScan& scan : project.scans) {
        list->recipes.push_back(scan.recipe);
        list->visible.push_back(scan.isVisible);
        list->poses.push_back(scan.pose);
        list->verdicts.push_back(scan.verdict);
    }
    if (std::ranges::none_of(list->poses, [](const auto& pose) { return pose.has_value(); })) {
        list->poses.clear();
        list->verdicts.clear();
    }
    list->isAligned = project.isAligned && !list->poses.empty();
    if (project.together)
        list->together = project.together->recipe;
    if (project.shown == kTogether || list->kind == Kind::place) {
        list->together = project.recipe;
        return startTogether(list);
    }
    list->recipes[recipeOf(*list, project.shown)] = project.recipe;
    startAttempt(list, {project.shown, 1});
}

void Playlist::describe(Project& project) const {
    if (!m_list)
        return;
    project.kind = kindOf(m_list->kind);
    project.shown = m_list->shown;
    project.isAligned = m_list->isAligned;
    const bool isOne = !isTogether(); // the runner has the recipe of the displayed scan
    if (isOne && m_list->together)
        project.together = Project::Step{*m_list->together};
    for (std::size_t i = 0; i < m_list->scans->size(); ++i) {
        ProjectScan scan{m_list->scans->path(i), m_list->visible[i], {}, {}, m_list->recipes[i]};
        if (isOne && i == recipeOf(*m_list, m_list->shown))
            scan.recipe.reset();
        if (hasPoses()) {
            scan.pose = m_list->poses[i];
            scan.verdict = m_list->verdicts[i];
        }
        project.scans.push_back(std::move(scan));
    }
}

Backend Playlist::backend() const {
    return m_runner.backend().backend;
}

int Playlist::wanted() const {
    if (m_waiting)
        return m_waiting->index;
    return m_attempt && m_attempt->list == m_list ? m_attempt->step.index : shown();
}

QString Playlist::nameOf(int index) const {
    return shownText(m_list->scans->path(std::size_t(index)).filename().string());
}

void Playlist::show(int index) {
    if (kind() == Kind::place && index >= 0 && index < size())
        showOnly(index);
    else if (index >= 0 && index < size() && index != wanted())
        goTo({index, 0});
}

void Playlist::showOnly(int index) {
    std::vector<bool> only(std::size_t(size()), false);
    only[std::size_t(index)] = true;
    setVisible(only);
}

void Playlist::step(int direction) {
    int shown = wanted();
    if (kind() == Kind::place && std::ranges::count(visible(), true) == 1)
        shown = int(std::ranges::find(visible(), true) - visible().begin());
    // stepping back from the combined scans leads to the last scan
    const int from = shown == kTogether && direction < 0 ? 0 : shown;
    const auto index = m_list ? next(*m_list, from, direction) : std::nullopt;
    if (index && kind() == Kind::place)
        showOnly(*index);
    else if (index)
        goTo({*index, direction});
    else
        setPlaying(false);
}

void Playlist::goTo(const Step& step) {
    m_next.stop();
    const bool busy = m_attempt && m_attempt->list == m_list && m_list->kind == Kind::sequence;
    if (!busy)
        return startAttempt(m_list, step);
    m_waiting = step;
    emit moved();
}

void Playlist::setPlaying(bool playing) {
    playing = playing && size() > 1;
    if (playing == m_playing)
        return;
    m_playing = playing;
    m_next.stop();
    emit playingChanged(playing);
    if (playing && !m_attempt)
        step(1);
}

void Playlist::setRate(double framesPerSecond) {
    m_intervalMs = int(1000 / std::clamp(framesPerSecond, 0.1, 100.0));
}

void Playlist::startAttempt(const ListPtr& list, const Step& step) {
    const auto index = std::size_t(step.index);
    Opening opening;
    if (list == m_list)
        keepRecipe(m_runner.recipe());
    if (list == m_list && list->kind == Kind::sequence && !isTogether())
        opening.as = Opening::As::frame;
    else if (const auto& recipe = list->recipes[recipeOf(*list, step.index)])
        opening = {Opening::As::before, *recipe};
    m_waiting.reset();
    m_sinceBegin.start();
    m_attempt = Attempt{list, step, m_loader.show(list->scans, index, opening)};
    if (list == m_list)
        emit moved();
}

void Playlist::keepRecipe(const Recipe& recipe) {
    if (!m_list)
        return;
    if (isTogether())
        m_list->together = recipe;
    else
        m_list->recipes[recipeOf(*m_list, m_list->shown)] = recipe;
}

std::size_t Playlist::recipeOf(const List& list, int index) {
    return list.kind == Kind::sequence ? 0 : std::size_t(index);
}

void Playlist::showTogether() {
    if (m_list)
        startTogether(m_list);
}

void Playlist::showTogether(Poses poses, Verdicts verdicts) {
    if (!m_list)
        return;
    m_list->poses = std::move(poses);
    m_list->verdicts = std::move(verdicts);
    m_list->isAligned = true;
    startTogether(m_list);
    emit togetherChanged();
}

void Playlist::setAligned(bool aligned) {
    if (m_list)
        setTogether(m_list->visible, aligned);
}

void Playlist::setVisible(const std::vector<bool>& visible) {
    if (m_list)
        setTogether(visible, m_list->isAligned);
}

void Playlist::setTogether(const std::vector<bool>& visible, bool aligned) {
    const bool isSame = m_list && visible == m_list->visible && aligned == m_list->isAligned;
    if (!m_list || isSame || visible.size() != m_list->visible.size() ||
        std::ranges::find(visible, true) == visible.end() || (aligned && !hasPoses()))
        return;
    m_list->visible = visible;
    m_list->isAligned = aligned;
    if (wanted() == kTogether)
        startTogether(m_list);
    else
        emit moved();
    emit togetherChanged();
}

void Playlist::startTogether(const ListPtr& list) {
    setPlaying(false);
    m_waiting.reset();
    Opening opening;
    if (list == m_list && isTogether()) {
        opening.as = Opening::As::frame;
    } else {
        if (list == m_list)
            keepRecipe(m_runner.recipe());
        if (list->together)
            opening = {Opening::As::before, *list->together};
        else if (list->kind == Kind::place)
            opening.colourBy = kScanAttribute;
    }
    Poses poses = list->isAligned ? list->poses : Poses(list->visible.size(), RigidTransform{});
    for (std::size_t i = 0; i < poses.size(); ++i) {
        if (!list->visible[i])
            poses[i].reset();
    }
    const auto shown = std::ranges::count_if(poses, [](const auto& pose) { return pose.has_value(); });
    const auto make = [scans = list->scans, poses](const ProgressFunction& progress,
                                                   const std::stop_token& stop) {
        ReadOptions options;
        options.progress = progress;
        return readTogether(*scans, poses, options, stop);
    };
    const int number = m_loader.openMade(tr("Combining %1 scans").arg(shown),
                                         tr("%1 combined scans").arg(shown), make, opening);
    m_attempt = Attempt{list, {kTogether, 0}, number};
    if (list == m_list)
        emit moved();
}

void Playlist::onOpeningEnded(int number, OpeningEnd how) {
    if (!m_attempt || number != m_attempt->number) {
        m_attempt.reset(); // another scan was opened meanwhile
        m_waiting.reset();
        setPlaying(false);
        if (how == OpeningEnd::shown)
            close();
        else
            emit moved();
        return;
    }
    const Attempt ended = *std::exchange(m_attempt, std::nullopt);
    if (how == OpeningEnd::shown)
        setShown(ended);
    if (how == OpeningEnd::notRun || how == OpeningEnd::cancelled)
        setPlaying(false);
    reportProblems(*ended.list);
    // whether the user chose the scan, as opposed to reaching it by a step
    const bool chosen = ended.step.direction == 0 && ended.step.index != kTogether;
    if (how == OpeningEnd::unreadable && chosen)
        emit problemsFound(
            QString::fromStdString(ended.list->scans->at(std::size_t(ended.step.index)).problem),
            tr("Choose another one."));
    if (m_waiting && m_list == ended.list)
        startAttempt(m_list, Step(*m_waiting));
    else if (how == OpeningEnd::unreadable)
        skipUnreadable(ended);
    else
        scheduleNextFrame();
    emit moved();
}

// A first look shows a scan that is not in this list.
void Playlist::onFirstLookShown() {
    m_attempt.reset();
    m_waiting.reset();
    close();
}

void Playlist::setShown(const Attempt& shown) {
    const bool another = shown.list != m_list;
    m_list = shown.list;
    m_list->shown = shown.step.index;
    if (!another)
        return;
    setPlaying(false);
    emit replaced();
}

void Playlist::skipUnreadable(const Attempt& unreadable) {
    const auto [from, direction] = unreadable.step;
    const auto index = direction != 0 ? next(*unreadable.list, from, direction) : std::nullopt;
    if (index && !(unreadable.list == m_list && *index == m_list->shown))
        startAttempt(unreadable.list, {*index, direction});
    else
        setPlaying(false);
}

void Playlist::scheduleNextFrame() {
    if (m_playing)
        m_next.start(int(std::max<qint64>(0, m_intervalMs - m_sinceBegin.elapsed())));
}

void Playlist::close() {
    if (!m_list)
        return;
    setPlaying(false);
    m_list = nullptr;
    emit replaced();
}

std::optional<int> Playlist::next(const List& list, int from, int direction) {
    const int count = int(list.scans->size());
    for (int step = 1; step < count; ++step) {
        const int index = (from + direction * step % count + count) % count;
        if (list.scans->at(std::size_t(index)).problem.empty())
            return index;
    }
    return std::nullopt;
}

void Playlist::reportProblems(List& list) {
    bool more = !std::exchange(list.leftOutReported, true) && !list.leftOut.empty();
    for (std::size_t i = 0; i < list.reported.size(); ++i) {
        const std::string problem = list.scans->at(i).problem;
        if (problem.empty() || list.reported[i])
            continue;
        list.reported[i] = more = true;
        emit logged(QString::fromStdString(problem));
    }
    if (!more)
        return;
    std::vector<LeftOut> problems = list.scans->problems();
    problems.insert(problems.begin(), list.leftOut.begin(), list.leftOut.end());
    const std::size_t files = list.scans->size() + list.leftOut.size();
    QString nextStep = tr("The others are open.");
    if (problems.size() == files)
        nextStep = tr("The log shows the reasons. Choose files of a supported format.");
    else if (problems.size() > 1)
        nextStep = tr("The others are open; the log shows why these are not.");
    emit problemsFound(QString::fromStdString(describeLeftOut(problems, files)), nextStep);
}

} // namespace scanloupe::gui
