// The views in the window: their layouts, windows of their own, and the presentation.
#include "gui/app/main_window.h"
#include "gui/app/tour_bar.h"
#include "gui/app/view_area.h"
#include "gui/controls/message_bar.h"
#include "gui/panels/parameters/parameter_panel.h"
#include "gui/panels/player_bar.h"

#include <QActionGroup>
#include <QClipboard>
#include <QDockWidget>
#include <QGuiApplication>
#include <QMenu>
#include <QMenuBar>
#include <QStatusBar>
#include <QToolBar>
#include <algorithm>
#include <cmath>
#include <tuple>

namespace scanloupe::gui {

namespace {

/// Coordinates in the file's frame, separated by blanks, to a millionth of the bounds' diagonal or better.
QString positionText(Vec3d position, const Bounds& bounds) {
    const double diagonal = std::max(norm(bounds.max - bounds.min), 1e-12);
    const int decimals = std::clamp(int(std::ceil(6 - std::log10(diagonal))), 4, 15);
    QStringList numbers;
    for (int axis = 0; axis < 3; ++axis)
        numbers << QString::number(position[axis], 'f', decimals);
    return numbers.join(QLatin1Char(' '));
}

} // namespace

void MainWindow::buildLayoutActions(QMenu* view) {
    auto* layouts = m_layoutMenu = view->addMenu(tr("La&yout"));
    auto* group = new QActionGroup(this);
    const std::tuple<ViewLayout, QString, QString> choices[] = {
        {ViewLayout::beside, tr("Side by &Side"), tr("Ctrl+1")},
        {ViewLayout::stacked, tr("One &above the Other"), tr("Ctrl+2")},
        {ViewLayout::oneLarge, tr("One &Large, Two Small"), tr("Ctrl+3")},
        {ViewLayout::alone, tr("One Al&one"), tr("Ctrl+4")}};
    for (const auto& [layout, text, key] : choices) {
        QAction* entry = group->addAction(addTool(layouts, nullptr, text, QKeySequence(key),
                                                  [this, layout = layout] { m_views->arrange(layout); }));
        entry->setCheckable(true);
        entry->setData(int(layout));
    }
    layouts->addSeparator();
    const QString keys[] = {tr("Alt+1"), tr("Alt+2"), tr("Alt+3")};
    for (std::size_t i = 0; i < std::size(keys); ++i) {
        ScanView* const target = m_views->views()[i];
        addTool(layouts, nullptr, tr("Go to %1").arg(target->title()), QKeySequence(keys[i]),
                [this, target] { m_views->choose(target); });
    }
    layouts->addSeparator();
    QAction* own = addTool(layouts, nullptr, tr("This View in Its Own &Window"), tr("Ctrl+Shift+W"), [this] {
        m_views->setDetached(m_views->current(), !m_views->isDetached(m_views->current()));
    });
    own->setCheckable(true);
    const auto showState = [=, this] {
        for (QAction* entry : group->actions())
            entry->setChecked(entry->data().toInt() == int(m_views->viewLayout()));
        own->setChecked(m_views->isDetached(m_views->current()));
    };
    connect(m_views, &ViewArea::arranged, this, showState);
    connect(m_views, &ViewArea::currentChanged, this, showState);
    connect(m_views, &ViewArea::detached, this, [this](QWidget* window) { window->addActions(actions()); });
    connect(m_views, &ViewArea::reshaped, this, [this] {
        constexpr double little = 1.15; // ratio of aspects; a message above the views changes them by less
        const double change = m_views->aspect() / m_automaticAspect;
        const bool isOther = std::max(change, 1 / change) > little;
        if (isOther && m_automaticCamera && m_camera.camera() == *m_automaticCamera)
            showAll();
    });
    connect(m_views, &ViewArea::menuRequested, this, &MainWindow::showViewMenu);
    showState();

    m_presentAction = addTool(view, nullptr, tr("P&resentation"), Qt::Key_F11,
                              [this] { setPresenting(!m_beforePresentation.has_value()); });
    m_presentAction->setCheckable(true);
}

void MainWindow::buildCopyAction(QMenu* edit) {
    edit->addSeparator();
    m_copyAction = edit->addAction(tr("Copy &View"), this, &MainWindow::copyView);
    m_copyAction->setShortcut(QKeySequence::Copy);
    // of the views alone: tables and fields copy what they hold
    m_copyAction->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    for (ScanView* view : m_views->views())
        view->widget()->addAction(m_copyAction);
}

void MainWindow::copyView() {
    const QImage image = m_views->current()->shownImage();
    if (image.isNull())
        return m_messages->showNote(tr("%1 shows nothing yet.").arg(m_views->current()->title()));
    QGuiApplication::clipboard()->setImage(image);
    m_messages->showNote(tr("Copied: %1, %2 × %3 pixels. File > Export > Picture draws it in any size.")
                             .arg(m_views->current()->title())
                             .arg(image.width())
                             .arg(image.height()));
}

void MainWindow::buildPictureActions(QMenu* view) {
    QMenu* pictures = m_pictureMenu = view->addMenu(tr("Picture &of"));
    auto* group = new QActionGroup(this);
    const std::tuple<PictureContent, QString, QString> contents[] = {
        {PictureContent::points, tr("&Points"), tr("Ctrl+Alt+P")},
        {PictureContent::voxels, tr("&Voxels"), tr("Ctrl+Alt+V")},
        {PictureContent::mesh, tr("&Mesh"), tr("Ctrl+Alt+M")}};
    for (const auto& [content, text, key] : contents) {
        QAction* entry =
            group->addAction(addTool(pictures, nullptr, text, QKeySequence(key), [this, content = content] {
                Recipe recipe = m_parameters->recipe();
                recipe.show = content;
                m_parameters->setRecipe(recipe);
                changeRecipe(recipe);
            }));
        entry->setCheckable(true);
        entry->setData(int(content));
        entry->setToolTip(
            tr("The picture shows the %1").arg(QString(text).remove(QLatin1Char('&')).toLower()));
        m_pictureActions << entry;
    }
    showPictureContent();
}

void MainWindow::showPictureContent() {
    for (QAction* entry : m_pictureActions) {
        entry->setEnabled(m_snapshot && m_snapshot->cloud); // a volume has only a mesh
        entry->setChecked(m_snapshot && entry->data().toInt() == int(m_parameters->recipe().show));
    }
}

void MainWindow::showViewMenu(QPoint at, const std::optional<Hit>& hit) {
    auto* menu = new QMenu(m_views->current()->widget());
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(m_cameraActions.front());
    menu->addMenu(tr("&Standard Views"))->addActions(m_cameraActions.mid(1));
    QAction* centre =
        menu->addAction(tr("&Centre Here"), this, [this, hit] { m_camera.centreOn(hit->position); });
    menu->addSeparator();
    menu->addAction(m_copyAction);
    QAction* coordinates = menu->addAction(tr("Copy C&oordinates"), this, [this, hit] {
        const QString text = positionText(hit->position, m_camera.bounds());
        QGuiApplication::clipboard()->setText(text);
        m_messages->showNote(tr("Copied: %1.").arg(text));
    });
    for (QAction* ofPoint : {centre, coordinates})
        ofPoint->setEnabled(hit && isFinite(hit->position));
    menu->addSeparator();
    menu->addMenu(m_pictureMenu);
    menu->addMenu(m_layoutMenu);
    menu->popup(at);
}

void MainWindow::showPresentationKeys() {
    QList<QKeySequence> keys{Qt::Key_F11};
    if (m_beforePresentation && !m_measuring.kind())
        keys << Qt::Key_Escape;
    m_presentAction->setShortcuts(keys);
}

void MainWindow::setPresenting(bool presenting) {
    if (presenting == m_beforePresentation.has_value())
        return;
    m_presentAction->setChecked(presenting);
    if (presenting) {
        if (m_tour)
            m_tour->end();
        m_beforePresentation = {saveState(), saveGeometry(), shownPanels(), windowState(), m_dataWidth};
        showPresentationKeys();
        for (QDockWidget* dock : findChildren<QDockWidget*>())
            dock->hide();
        for (QToolBar* bar : findChildren<QToolBar*>())
            bar->hide();
        m_player->parentWidget()->hide();
        if (!m_messages->isError())
            m_messages->dismiss();
        menuBar()->hide();
        statusBar()->hide();
        setWindowState(windowState() | Qt::WindowFullScreen);
        m_views->current()->widget()->setFocus();
        return;
    }
    const BeforePresentation before = *std::exchange(m_beforePresentation, std::nullopt);
    showPresentationKeys();
    setWindowState(before.state);
    menuBar()->show();
    statusBar()->show();
    m_player->parentWidget()->show();
    restoreState(before.docks);
    showPanels(before.panels);      // those of a project that was opened meanwhile
    m_dataWidth = before.dataWidth; // the docks came back into a window that is still as wide as the screen
}

QJsonArray MainWindow::shownPanels() const {
    if (m_beforePresentation)
        return m_beforePresentation->panels;
    QJsonArray names;
    for (const QDockWidget* dock : findChildren<QDockWidget*>())
        if (!dock->isHidden())
            names.append(dock->objectName());
    return names;
}

void MainWindow::showPanels(const QJsonArray& names) {
    if (m_beforePresentation) {
        m_beforePresentation->panels = names;
        return;
    }
    for (QDockWidget* dock : findChildren<QDockWidget*>())
        dock->setVisible(names.contains(dock->objectName()));
}

} // namespace scanloupe::gui
