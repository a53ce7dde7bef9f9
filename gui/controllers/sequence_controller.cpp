// Steps through sequences and scans of one place, and marks the grid and the sensor's trajectory.
#include "gui/controllers/sequence_controller.h"

#include "engine/cloud/point_cloud.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "gui/base/settings.h"
#include "gui/controls/message_bar.h"
#include "gui/jobs/playlist.h"
#include "gui/jobs/scan_jobs.h"
#include "gui/text/number_text.h"

#include <QActionGroup>
#include <QMenu>
#include <algorithm>
#include <limits>
#include <tuple>

namespace scanloupe::gui {

namespace {

// metres around the sensor within which points determine the height of the ground
constexpr double kNearGround = 20;

} // namespace

SequenceController::SequenceController(const WindowContext& window)
    : Controller(window), m_playlist(window.playlist) {}

void SequenceController::buildSequenceActions(QMenu* view) {
    const QList<QAction*> actions{
        m_window.addTool(view, "previous", tr("&Previous Scan"), tr("Alt+Left"),
                         [this] { m_playlist.step(-1); }),
        m_window.addTool(view, "next", tr("Ne&xt Scan"), tr("Alt+Right"), [this] { m_playlist.step(1); }),
        m_window.addTool(view, "play", tr("Play Se&quence"), tr("Ctrl+P"),
                         [this] { m_playlist.setPlaying(!m_playlist.isPlaying()); })};
    m_window.addTool(view, "align", tr("Ali&gn Scans…"), tr("Ctrl+Shift+A"),
                     [this] { emit alignmentWanted(); });
    buildFrameLimitActions(view);
    const auto enable = [this, actions] {
        for (QAction* action : actions)
            action->setEnabled(m_playlist.size() > 1);
        actions.back()->setEnabled(m_playlist.size() > 1 && m_playlist.kind() == Playlist::Kind::sequence);
    };
    connect(&m_playlist, &Playlist::replaced, this, enable);
    enable();
}

void SequenceController::buildFrameLimitActions(QMenu* view) {
    QMenu* limits = view->addMenu(tr("Colour Li&mits of Frames"));
    m_window.addTool(limits, nullptr, tr("&Separate for Each Frame"), {},
                     [this] { setColourLimits(std::nullopt); });
    QAction* ofThis = m_window.addTool(limits, nullptr, tr("Use &This Frame's Limits for All"), {}, [this] {
        if (m_work.results() && m_work.results()->picture)
            setColourLimits(
                std::pair(double(m_work.results()->picture->low), double(m_work.results()->picture->high)));
    });
    QAction* all = m_window.addTool(limits, nullptr, tr("Use Limits of &All Frames"), {}, [this] {
        if (m_frameLimits.isBusy())
            return m_frameLimits.cancel();
        std::vector<std::filesystem::path> frames;
        frames.reserve(std::size_t(m_playlist.size()));
        for (int i = 0; i < m_playlist.size(); ++i)
            frames.push_back(m_playlist.path(i));
        m_frameLimits.start(std::move(frames), m_work.recipe(), m_window.jobs.runner().backend(),
                            m_window.jobs.runner().trustedCode());
    });
    const auto showState = [this, limits, ofThis, all] {
        const bool isMapped =
            m_work.results() && m_work.results()->picture && m_work.results()->picture->mapped;
        limits->setEnabled(isMapped);
        const bool isFrame = isMapped && m_playlist.size() > 1 && !m_playlist.isTogether() &&
                             m_playlist.kind() == Playlist::Kind::sequence;
        ofThis->setEnabled(isFrame);
        all->setEnabled(isFrame);
        all->setText(m_frameLimits.isBusy() ? tr("Stop Reading &All Frames")
                                            : tr("Use Limits of &All Frames"));
    };
    connect(view, &QMenu::aboutToShow, this, showState);
    connect(&m_frameLimits, &FrameLimitsRunner::busyChanged, this, showState);
    connect(&m_frameLimits, &FrameLimitsRunner::progressed, this, [this](int done, int frames) {
        m_window.messages.showNote(tr("Limits of all frames: %1 of %2 frames read.").arg(done).arg(frames));
    });
    connect(&m_frameLimits, &FrameLimitsRunner::failed, &m_window.messages, &MessageBar::showError);
    connect(&m_frameLimits, &FrameLimitsRunner::finished, this, &SequenceController::takeFrameLimits);
    connect(&m_playlist, &Playlist::replaced, &m_frameLimits, &FrameLimitsRunner::cancel);
}

void SequenceController::takeFrameLimits(const FrameLimits& found) {
    const Recipe now = m_work.recipe(), then = m_frameLimits.recipe();
    if (now.colourBy != then.colourBy || now.show != then.show || now.up != then.up)
        return m_window.messages.showNote(
            tr("The colour limits were discarded: the colouring has changed in the meantime."));
    setColourLimits(std::pair(found.low, found.high));
    const QString text = tr("Colour limits set from %3 frames: %1 to %2.")
                             .arg(numberText(found.low), numberText(found.high))
                             .arg(found.frames);
    m_window.messages.showNote(
        found.failures == 0 ? text
                            : tr("%1 Frames that could not be read: %2.").arg(text).arg(found.failures));
}

void SequenceController::setColourLimits(std::optional<std::pair<double, double>> limits) {
    m_work.editRecipe([&](Recipe& recipe) {
        recipe.colourLow = limits ? std::optional(limits->first) : std::nullopt;
        recipe.colourHigh = limits ? std::optional(limits->second) : std::nullopt;
    });
}

void SequenceController::buildGridActions(QMenu* view) {
    QMenu* grids = view->addMenu(tr("Gri&d"));
    auto* group = new QActionGroup(this);
    m_grid = SceneGrid(std::clamp(int(settings::grid.value()), 0, int(SceneGrid::sensor)));
    const std::tuple<SceneGrid, QString> choices[] = {{SceneGrid::none, tr("&None")},
                                                      {SceneGrid::ground, tr("On the &Ground")},
                                                      {SceneGrid::sensor, tr("Around the &Sensor")}};
    for (const auto& [grid, text] : choices) {
        QAction* entry = group->addAction(m_window.addSwitch(grids, nullptr, text, {}, [this, grid = grid] {
            m_grid = grid;
            settings::grid.set(grid);
            emit marksChanged();
            if (m_grid == SceneGrid::sensor && m_work.hasCloud() && !sensorPosition(*m_work.results()->cloud))
                m_window.messages.showNote(tr("Sensor position unknown. Use the ground grid instead."));
        }));
        entry->setChecked(grid == m_grid);
    }
    m_showsTrajectory = settings::trajectory.value();
    QAction* trajectory = m_window.addSwitch(view, nullptr, tr("Sensor Tra&jectory"), {}, [this] {
        m_showsTrajectory = !m_showsTrajectory;
        settings::trajectory.set(m_showsTrajectory);
        emit marksChanged();
    });
    trajectory->setToolTip(tr("Path of the sensor through scans that are shown at their poses"));
    trajectory->setChecked(m_showsTrajectory);
}

std::vector<SceneMark> SequenceController::marks() {
    std::vector<SceneMark> marks;
    if (!m_work.hasCloud())
        return marks;
    const PointCloud& cloud = *m_work.results()->cloud;
    const auto sensor = sensorPosition(cloud);
    if (m_grid == SceneGrid::ground) {
        const double height =
            m_ground.of(m_work.results()->cloud, m_work.up(), std::numeric_limits<double>::infinity(), {});
        marks = groundGrid(cloud.bounds(), m_work.up(), height, m_work.unit());
    } else if (m_grid == SceneGrid::sensor && sensor) {
        const double metres = rowOf(m_work.unit()).metres;
        const double radius = kNearGround / (metres > 0 ? metres : 1);
        const double height = m_ground.of(m_work.results()->cloud, m_work.up(), radius, *sensor);
        marks = sensorGrid(cloud.bounds(), *sensor, m_work.up(), height, m_work.unit());
    }
    if (m_showsTrajectory && m_playlist.isTogether() && m_playlist.showsAligned())
        if (auto way = trajectoryMark(m_playlist.poses(), cloud.bounds()))
            marks.push_back(std::move(*way));
    return marks;
}

} // namespace scanloupe::gui
