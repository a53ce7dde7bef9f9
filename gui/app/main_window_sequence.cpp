// Sequences and scans of one place in the window: stepping, the limits of their colours, the grid and the way
// of the sensor.
#include "gui/app/main_window.h"
#include "gui/app/view_area.h"
#include "gui/controls/message_bar.h"
#include "gui/jobs/frame_limits_runner.h"
#include "gui/models/number_text.h"
#include "gui/panels/parameters/parameter_panel.h"

#include <QActionGroup>
#include <QMenu>
#include <QSettings>
#include <algorithm>
#include <limits>
#include <tuple>

namespace scanloupe::gui {

namespace {

constexpr double kNearGround = 20; // metres around the sensor

} // namespace

void MainWindow::buildSequenceActions(QMenu* view) {
    const QList<QAction*> actions{
        addTool(view, "previous", tr("&Previous Scan"), tr("Alt+Left"), [this] { m_playlist.step(-1); }),
        addTool(view, "next", tr("&Next Scan"), tr("Alt+Right"), [this] { m_playlist.step(1); }),
        addTool(view, "play", tr("Pla&y the Sequence"), tr("Ctrl+P"),
                [this] { m_playlist.setPlaying(!m_playlist.isPlaying()); })};
    addTool(view, "align", tr("Alig&n the Scans…"), tr("Ctrl+Shift+A"), [this] { showAlignment(); });
    buildFrameLimitActions(view);
    const auto enable = [this, actions] {
        for (QAction* action : actions)
            action->setEnabled(m_playlist.size() > 1);
        actions.back()->setEnabled(m_playlist.size() > 1 && m_playlist.kind() == Playlist::Kind::sequence);
    };
    connect(&m_playlist, &Playlist::replaced, this, enable);
    enable();
}

void MainWindow::buildFrameLimitActions(QMenu* view) {
    m_frameLimits = new FrameLimitsRunner(this);
    QMenu* limits = view->addMenu(tr("Colour Li&mits"));
    addTool(limits, nullptr, tr("Each Frame Its &Own"), {}, [this] { setColourLimits(std::nullopt); });
    QAction* ofThis = addTool(limits, nullptr, tr("Those of &This Frame for All"), {}, [this] {
        if (m_snapshot && m_snapshot->picture)
            setColourLimits(std::pair(double(m_snapshot->picture->low), double(m_snapshot->picture->high)));
    });
    QAction* all = addTool(limits, nullptr, tr("Of &All Frames"), {}, [this] {
        if (m_frameLimits->isBusy())
            return m_frameLimits->cancel();
        std::vector<std::filesystem::path> frames;
        frames.reserve(std::size_t(m_playlist.size()));
        for (int i = 0; i < m_playlist.size(); ++i)
            frames.push_back(m_playlist.path(i));
        m_frameLimits->start(std::move(frames), m_parameters->recipe(), m_jobs.runner().backend(),
                             m_edit->trustedCode());
    });
    const auto showState = [this, limits, ofThis, all] {
        const bool isMapped = m_snapshot && m_snapshot->picture && m_snapshot->picture->mapped;
        limits->setEnabled(isMapped);
        const bool isFrame = isMapped && m_playlist.size() > 1 && !m_playlist.isTogether() &&
                             m_playlist.kind() == Playlist::Kind::sequence;
        ofThis->setEnabled(isFrame);
        all->setEnabled(isFrame);
        all->setText(m_frameLimits->isBusy() ? tr("&Stop Looking through All Frames") : tr("Of &All Frames"));
    };
    connect(view, &QMenu::aboutToShow, this, showState);
    connect(m_frameLimits, &FrameLimitsRunner::busyChanged, this, showState);
    connect(m_frameLimits, &FrameLimitsRunner::progressed, this, [this](int done, int frames) {
        m_messages->showNote(tr("Limits of all frames: %1 of %2 looked through.").arg(done).arg(frames));
    });
    connect(m_frameLimits, &FrameLimitsRunner::failed, m_messages, &MessageBar::showError);
    connect(m_frameLimits, &FrameLimitsRunner::finished, this, [this](const FrameLimits& found) {
        const Recipe now = m_parameters->recipe(), then = m_frameLimits->recipe();
        if (now.colourBy != then.colourBy || now.show != then.show || now.up != then.up)
            return m_messages->showNote(tr("Other colours were chosen meanwhile: the limits are left out."));
        setColourLimits(std::pair(found.low, found.high));
        const QString text = tr("Colours go from %1 to %2, the limits of %3 frames.")
                                 .arg(numberText(found.low), numberText(found.high))
                                 .arg(found.frames);
        m_messages->showNote(
            found.failures == 0 ? text : tr("%1 %2 could not be read.").arg(text).arg(found.failures));
    });
    connect(&m_playlist, &Playlist::replaced, m_frameLimits, &FrameLimitsRunner::cancel);
}

void MainWindow::setColourLimits(std::optional<std::pair<double, double>> limits) {
    Recipe recipe = m_parameters->recipe();
    recipe.colourLow = limits ? std::optional(limits->first) : std::nullopt;
    recipe.colourHigh = limits ? std::optional(limits->second) : std::nullopt;
    m_parameters->setRecipe(recipe);
    changeRecipe(recipe);
}

void MainWindow::buildGridActions(QMenu* view) {
    QMenu* grids = view->addMenu(tr("&Grid"));
    auto* group = new QActionGroup(this);
    m_grid = SceneGrid(std::clamp(QSettings().value("grid").toInt(), 0, int(SceneGrid::sensor)));
    const std::tuple<SceneGrid, QString> choices[] = {{SceneGrid::none, tr("&None")},
                                                      {SceneGrid::ground, tr("On the &Ground")},
                                                      {SceneGrid::sensor, tr("Around the &Sensor")}};
    for (const auto& [grid, text] : choices) {
        QAction* entry = group->addAction(addTool(grids, nullptr, text, {}, [this, grid = grid] {
            m_grid = grid;
            QSettings().setValue("grid", int(grid));
            showMarks();
            if (m_grid == SceneGrid::sensor && m_snapshot && m_snapshot->cloud &&
                !sensorPosition(*m_snapshot->cloud))
                m_messages->showNote(tr("Nothing tells where the sensor was. Take the grid on the ground."));
        }));
        entry->setCheckable(true);
        entry->setChecked(grid == m_grid);
    }
    m_showsTrajectory = QSettings().value("trajectory", true).toBool();
    QAction* trajectory = addTool(view, nullptr, tr("Tra&jectory"), {}, [this] {
        m_showsTrajectory = !m_showsTrajectory;
        QSettings().setValue("trajectory", m_showsTrajectory);
        showMarks();
    });
    trajectory->setToolTip(tr("The way of the sensor through scans that are shown at their poses"));
    trajectory->setCheckable(true);
    trajectory->setChecked(m_showsTrajectory);
}

std::vector<SceneMark> MainWindow::aidMarks() {
    std::vector<SceneMark> marks;
    if (!m_snapshot || !m_snapshot->cloud)
        return marks;
    const PointCloud& cloud = *m_snapshot->cloud;
    const auto sensor = sensorPosition(cloud);
    if (m_grid == SceneGrid::ground) {
        const double height =
            m_ground.of(m_snapshot->cloud, up(), std::numeric_limits<double>::infinity(), {});
        marks = groundGrid(cloud.bounds(), up(), height, m_reference.unit);
    } else if (m_grid == SceneGrid::sensor && sensor) {
        const double metres = rowOf(m_reference.unit).metres;
        const double radius = kNearGround / (metres > 0 ? metres : 1);
        const double height = m_ground.of(m_snapshot->cloud, up(), radius, *sensor);
        marks = sensorGrid(cloud.bounds(), *sensor, up(), height, m_reference.unit);
    }
    if (m_showsTrajectory && m_playlist.isTogether() && m_playlist.showsAligned())
        if (auto way = trajectoryMark(m_playlist.poses(), cloud.bounds()))
            marks.push_back(std::move(*way));
    return marks;
}

} // namespace scanloupe::gui
