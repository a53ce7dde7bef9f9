// Builds the menus that move the camera, arrange the views and copy their pictures.
#include "gui/controllers/view_controller.h"

#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "gui/controls/message_bar.h"
#include "gui/dialogs/difference_dialog.h"
#include "gui/views/linked_camera.h"
#include "gui/views/view_area.h"
#include "gui/views/view_commands.h"

#include <QActionGroup>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <algorithm>
#include <cmath>
#include <tuple>

namespace scanloupe::gui {

namespace {

/// Coordinates in the file's frame, separated by blanks, with a resolution of at least a millionth of the
/// bounds' diagonal.
QString positionText(Vec3d position, const Bounds& bounds) {
    const double diagonal = std::max(norm(bounds.max - bounds.min), 1e-12);
    const int decimals = std::clamp(int(std::ceil(6 - std::log10(diagonal))), 4, 15);
    QStringList numbers;
    for (int axis = 0; axis < 3; ++axis)
        numbers << QString::number(position[axis], 'f', decimals);
    return numbers.join(QLatin1Char(' '));
}

} // namespace

ViewController::ViewController(const WindowContext& window)
    : Controller(window), m_camera(window.viewing.camera), m_views(window.views) {}

void ViewController::buildCopyAction(QMenu* edit) {
    edit->addSeparator();
    m_copyAction = edit->addAction(tr("Copy &View"), this, &ViewController::copyView);
    m_copyAction->setShortcut(QKeySequence::Copy);
    // only in the views: tables and text fields have their own copy command
    m_copyAction->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    for (ScanView* view : m_views.views())
        view->widget()->addAction(m_copyAction);
}

void ViewController::copyView() {
    const QImage image = m_views.current()->shownImage();
    if (image.isNull())
        return m_window.messages.showNote(
            tr("%1: there is nothing to copy yet.").arg(m_views.current()->title()));
    QGuiApplication::clipboard()->setImage(image);
    m_window.messages.showNote(
        tr("Copied: %1, %2 × %3 pixels. For other sizes, choose Picture in File > Export.")
            .arg(m_views.current()->title())
            .arg(image.width())
            .arg(image.height()));
}

QList<QAction*> ViewController::buildCameraActions(QMenu* view) {
    const auto add = [this, view](ViewCommand command, const char* icon, const QString& text) {
        QAction* entry = m_window.addTool(view, icon, text, {},
                                          [this, command] { execute(command, m_camera, m_views.aspect()); });
        QList<QKeySequence> keys;
        for (const Qt::Key key : keysOf(command))
            keys << QKeySequence(key);
        entry->setShortcuts(keys);
        return entry;
    };
    QList<QAction*> sides;
    m_cameraActions << add(ViewCommand::fit, nullptr, tr("Zoom to F&it"));
    sides << add(ViewCommand::oblique, "view-oblique", tr("&Oblique"));
    sides << add(ViewCommand::top, "view-top", tr("&Top"));
    sides << add(ViewCommand::bottom, "view-bottom", tr("&Bottom"));
    sides << add(ViewCommand::front, "view-front", tr("&Front"));
    sides << add(ViewCommand::back, "view-back", tr("Bac&k"));
    sides << add(ViewCommand::left, "view-left", tr("&Left"));
    sides << add(ViewCommand::right, "view-right", tr("&Right"));
    m_cameraActions << sides;
    view->addSeparator();
    add(ViewCommand::zoomIn, nullptr, tr("&Zoom In"));
    add(ViewCommand::zoomOut, nullptr, tr("Zoom O&ut"));
    view->addSeparator();
    QAction* perspective = add(ViewCommand::perspective, nullptr, tr("P&erspective"));
    QAction* orthographic = add(ViewCommand::orthographic, nullptr, tr("Ort&hographic"));
    auto* projection = new QActionGroup(this);
    for (QAction* entry : {perspective, orthographic}) {
        entry->setCheckable(true);
        projection->addAction(entry);
    }
    const auto showProjection = [=, this] {
        (m_camera.camera().orthographic ? orthographic : perspective)->setChecked(true);
    };
    connect(&m_camera, &LinkedCamera::changed, this, showProjection);
    showProjection();
    return sides;
}

QList<QAction*> ViewController::buildPictureActions(QMenu* view) {
    QMenu* pictures = m_pictureMenu = view->addMenu(tr("Show in Rasterized &View"));
    auto* group = new QActionGroup(this);
    const std::tuple<PictureContent, QString, QString> contents[] = {
        {PictureContent::points, tr("&Points"), tr("Ctrl+Alt+P")},
        {PictureContent::voxels, tr("&Voxels"), tr("Ctrl+Alt+V")},
        {PictureContent::mesh, tr("&Mesh"), tr("Ctrl+Alt+M")}};
    for (const auto& [content, text, key] : contents) {
        QAction* entry = group->addAction(
            m_window.addSwitch(pictures, nullptr, text, QKeySequence(key), [this, content = content] {
                m_work.editRecipe([content](Recipe& recipe) { recipe.show = content; });
            }));
        entry->setData(int(content));
        entry->setToolTip(
            tr("Show the %1 in the rasterized view").arg(QString(text).remove(QLatin1Char('&')).toLower()));
        m_pictureActions << entry;
    }
    connect(&m_work, &Work::recipeChanged, this, &ViewController::showPictureContent);
    connect(&m_work, &Work::resultsChanged, this, &ViewController::showPictureContent);
    showPictureContent();
    m_window.addTool(view, nullptr, tr("&Compare OpenGL and Rasterizer…"), tr("Ctrl+D"),
                     [this] { showDifference(); });
    return m_pictureActions;
}

void ViewController::showPictureContent() {
    for (QAction* entry : m_pictureActions) {
        entry->setEnabled(m_work.hasCloud()); // a volume has only a mesh
        entry->setChecked(m_work.results() && entry->data().toInt() == int(m_work.recipe().show));
    }
}

void ViewController::showMenu(QPoint at, const std::optional<Hit>& hit) {
    auto* menu = new QMenu(m_views.current()->widget());
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
        m_window.messages.showNote(tr("Copied: %1.").arg(text));
    });
    for (QAction* ofPoint : {centre, coordinates})
        ofPoint->setEnabled(hit && isFinite(hit->position));
    menu->addSeparator();
    menu->addMenu(m_pictureMenu);
    menu->addMenu(m_layoutMenu);
    menu->popup(at);
}

void ViewController::buildLayoutActions(QMenu* view) {
    auto* layouts = m_layoutMenu = view->addMenu(tr("La&yout"));
    auto* group = new QActionGroup(this);
    const std::tuple<ViewLayout, QString, QString> choices[] = {
        {ViewLayout::beside, tr("Side by &Side"), tr("Ctrl+1")},
        {ViewLayout::stacked, tr("Stacked &Vertically"), tr("Ctrl+2")},
        {ViewLayout::oneLarge, tr("One &Large, Two Small"), tr("Ctrl+3")},
        {ViewLayout::alone, tr("Si&ngle View"), tr("Ctrl+4")}};
    for (const auto& [layout, text, key] : choices) {
        QAction* entry = group->addAction(m_window.addSwitch(
            layouts, nullptr, text, QKeySequence(key), [this, layout = layout] { m_views.arrange(layout); }));
        entry->setData(int(layout));
    }
    layouts->addSeparator();
    const QString keys[] = {tr("Alt+1"), tr("Alt+2"), tr("Alt+3")};
    for (std::size_t i = 0; i < std::size(keys); ++i) {
        ScanView* const target = m_views.views()[i];
        m_window.addTool(layouts, nullptr, tr("Go to %1 View").arg(target->title()), QKeySequence(keys[i]),
                         [this, target] { m_views.choose(target); });
    }
    layouts->addSeparator();
    QAction* own =
        m_window.addSwitch(layouts, nullptr, tr("View in Separate &Window"), tr("Ctrl+Shift+W"), [this] {
            m_views.setDetached(m_views.current(), !m_views.isDetached(m_views.current()));
        });
    const auto showState = [=, this] {
        for (QAction* entry : group->actions())
            entry->setChecked(entry->data().toInt() == int(m_views.viewLayout()));
        own->setChecked(m_views.isDetached(m_views.current()));
    };
    connect(&m_views, &ViewArea::arranged, this, showState);
    connect(&m_views, &ViewArea::currentChanged, this, showState);
    connect(&m_views, &ViewArea::detached, this,
            [this](QWidget* window) { window->addActions(m_window.widget.actions()); });
    connect(&m_views, &ViewArea::menuRequested, this, &ViewController::showMenu);
    showState();
}

void ViewController::showDifference() {
    if (!m_difference) {
        m_difference = new DifferenceDialog(m_views.meshView(), m_camera, &m_window.widget);
        m_difference->setSnapshot(m_work.results());
        connect(&m_work, &Work::resultsChanged, m_difference, &DifferenceDialog::setSnapshot);
    }
    m_difference->show();
    m_difference->raise();
    m_difference->activateWindow();
}

} // namespace scanloupe::gui
