// Arranges the three views: in splitters, and in separate windows.
#include "gui/views/view_area.h"

#include "engine/recipe/recipe.h"
#include "gui/views/detached_view.h"
#include "gui/views/gl_view.h"
#include "gui/views/raster_view.h"
#include "gui/views/view_navigation.h"

#include <QEvent>
#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace scanloupe::gui {

namespace {

// members of state()
constexpr QLatin1String kLayoutKey("layout"), kBeforeKey("layout_before"), kLargeKey("large"),
    kWindowsKey("windows");
constexpr std::array kLayoutNames{"beside", "stacked", "oneLarge", "alone"}; // in the order of ViewLayout
constexpr int kLargePart = 2;                                                // parts of three of the width

ViewLayout layoutNamed(const QString& name, ViewLayout otherwise) {
    const auto found = std::find(kLayoutNames.begin(), kLayoutNames.end(), name);
    return found == kLayoutNames.end() ? otherwise : ViewLayout(found - kLayoutNames.begin());
}

QSplitter* makeSplitter() {
    auto* splitter = new QSplitter;
    splitter->setChildrenCollapsible(false);
    return splitter;
}

} // namespace

ViewArea::ViewArea(const ViewContext& context, QWidget* parent)
    : QWidget(parent), m_outer(makeSplitter()), m_inner(makeSplitter()),
      m_empty(new QLabel(tr("All views are in separate windows. Close one to bring it back here."))) {
    m_raster = new RasterView(context, this);
    m_voxels = new VoxelView(context, this);
    m_mesh = new MeshView(context, this);
    m_views = {m_voxels, m_mesh, m_raster};
    m_current = m_large = m_mesh;
    connect(m_raster, &RasterView::pictureWanted, this, &ViewArea::pictureWanted);
    connect(m_raster, &RasterView::transferred, this, &ViewArea::transferred);
    for (GlView* view : {static_cast<GlView*>(m_voxels), static_cast<GlView*>(m_mesh)})
        connect(view, &GlView::transferred, this, &ViewArea::transferred);
    for (ScanView* view : m_views) {
        // three views fit next to two docks on a screen of 800 pixels
        view->widget()->setMinimumSize(72, 120);
        view->widget()->installEventFilter(this);
        connect(view->navigation(), &ViewNavigation::picked, this, &ViewArea::picked);
        connect(view->navigation(), &ViewNavigation::nothingPicked, this, &ViewArea::nothingPicked);
        connect(view->navigation(), &ViewNavigation::failed, this, &ViewArea::pickFailed);
        connect(view->navigation(), &ViewNavigation::doubleClicked, this, [this, view] {
            if (m_measuring)
                emit measureEnded();
            else
                toggleFill(view);
        });
        connect(view->navigation(), &ViewNavigation::menuRequested, this,
                [this, view](QPoint at, const std::optional<Hit>& hit) {
                    if (m_measuring)
                        return emit measureEnded();
                    setCurrent(view);
                    emit menuRequested(at, hit);
                });
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_outer);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_inner->setOrientation(Qt::Vertical);
    m_reshape.setSingleShot(true);
    m_reshape.setInterval(0);
    connect(&m_reshape, &QTimer::timeout, this, &ViewArea::reshaped);
    place();
}

ViewArea::~ViewArea() = default;

Transfers ViewArea::transfers() const {
    return {m_voxels->transfer(), m_mesh->transfer(), m_raster->transfer()};
}

void ViewArea::prepare(std::size_t first) {
    if (!window()->isVisible() || first == m_views.size())
        return;
    m_views[first]->prepare();
    QTimer::singleShot(0, this, [this, first] { prepare(first + 1); });
}

void ViewArea::setSnapshot(const SnapshotPtr& snapshot) {
    for (ScanView* view : m_views)
        view->setSnapshot(snapshot);
}

void ViewArea::setStyle(const ViewStyle& style) {
    for (ScanView* view : m_views)
        view->setStyle(style);
}

void ViewArea::setMarks(const SceneMarks& marks) {
    for (ScanView* view : m_views)
        view->setMarks(marks);
}

void ViewArea::setMeasuring(bool measuring) {
    m_measuring = measuring;
    for (ScanView* view : m_views)
        if (measuring)
            view->widget()->setCursor(Qt::CrossCursor);
        else
            view->widget()->unsetCursor();
}

void ViewArea::setHandles(SceneHandles* handles) {
    for (ScanView* view : m_views)
        view->navigation()->setHandles(handles);
}

void ViewArea::setTool(ViewTool* tool) {
    for (ScanView* view : m_views)
        view->navigation()->setTool(tool);
}

bool ViewArea::isDetached(const ScanView* view) const {
    const auto found = std::find(m_views.begin(), m_views.end(), view);
    return found != m_views.end() && m_windows[std::size_t(found - m_views.begin())];
}

QList<ScanView*> ViewArea::docked() const {
    QList<ScanView*> views;
    std::copy_if(m_views.begin(), m_views.end(), std::back_inserter(views),
                 [this](const ScanView* view) { return !isDetached(view); });
    return views;
}

ScanView* ViewArea::large() const {
    const QList<ScanView*> views = docked();
    return views.contains(m_large) ? m_large : views.value(0);
}

void ViewArea::place() {
    QWidget* const focused = m_current->widget()->hasFocus() ? m_current->widget() : nullptr;
    const QList<ScanView*> views = docked();
    const bool one = m_layout == ViewLayout::oneLarge, alone = m_layout == ViewLayout::alone;
    m_outer->setOrientation(m_layout == ViewLayout::stacked ? Qt::Vertical : Qt::Horizontal);
    QList<int> sizes;
    for (ScanView* view : views) {
        QWidget* const widget = view->widget();
        const bool isSmall = one && view != large();
        QSplitter* const splitter = isSmall ? m_inner : m_outer;
        splitter->insertWidget(splitter->count(), widget); // in this order, independent of the previous one
        splitter->setStretchFactor(splitter->indexOf(widget), isSmall ? 1 : kLargePart);
        widget->setVisible(!alone || view == large());
    }
    m_outer->insertWidget(m_outer->count(), m_inner);
    m_outer->setStretchFactor(m_outer->indexOf(m_inner), 1);
    m_inner->setVisible(one && views.size() > 1);
    m_outer->addWidget(m_empty);
    m_empty->setVisible(views.isEmpty());
    // QSplitter distributes sizes in proportion, so they have to exceed all minimum sizes
    constexpr int part = 10'000;
    for (int i = 0; i < m_outer->count(); ++i)
        sizes << (one && m_outer->widget(i) != m_inner ? kLargePart * part : part);
    m_outer->setSizes(sizes);
    m_inner->setSizes(QList<int>(m_inner->count(), part));
    if (focused && focused->isVisible())
        focused->setFocus();
    emit arranged();
}

void ViewArea::arrange(ViewLayout layout) {
    if (layout == ViewLayout::alone && m_layout != ViewLayout::alone)
        m_before = m_layout;
    m_layout = layout;
    if (!isDetached(m_current))
        m_large = m_current;
    place();
}

void ViewArea::choose(ScanView* view) {
    setCurrent(view);
    if (isDetached(view)) {
        view->widget()->window()->raise();
        view->widget()->window()->activateWindow();
    } else if (view != large()) {
        m_large = view;
        if (m_layout == ViewLayout::oneLarge || m_layout == ViewLayout::alone)
            place();
    }
    view->widget()->setFocus();
}

void ViewArea::toggleFill(ScanView* view) {
    if (isDetached(view)) {
        QWidget* const window = view->widget()->window();
        window->setWindowState(window->windowState() ^ Qt::WindowFullScreen);
        return;
    }
    if (m_layout != ViewLayout::alone)
        m_before = m_layout;
    m_layout = m_layout == ViewLayout::alone ? m_before : ViewLayout::alone;
    if (m_layout == ViewLayout::alone)
        m_large = view;
    place();
    view->widget()->setFocus();
}

void ViewArea::setDetached(ScanView* view, bool detached) {
    DetachedView*& window =
        m_windows[std::size_t(std::find(m_views.begin(), m_views.end(), view) - m_views.begin())];
    if (detached == (window != nullptr))
        return;
    if (detached) {
        const QSize size = view->widget()->size().expandedTo({480, 360});
        const QPoint corner = view->widget()->mapToGlobal(QPoint(24, 24));
        window = new DetachedView(*view, this);
        connect(window, &DetachedView::closed, this, [this, view] { setDetached(view, false); });
        emit this->detached(window);
        place();
        window->setGeometry({corner, size});
        view->widget()->show();
        window->show();
        window->activateWindow();
    } else {
        DetachedView* const before = std::exchange(window, nullptr);
        place(); // takes the view out of the window
        before->hide();
        before->deleteLater();
    }
    view->widget()->setFocus();
}

void ViewArea::setCurrent(ScanView* view) {
    if (view == m_current)
        return;
    m_current = view;
    emit currentChanged();
}

bool ViewArea::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Show)
        m_reshape.start();
    if (event->type() == QEvent::FocusIn)
        for (ScanView* view : m_views)
            if (view->widget() == watched)
                setCurrent(view);
    return QWidget::eventFilter(watched, event);
}

double ViewArea::aspect() const {
    QSize largest;
    for (ScanView* view : m_views) {
        const QWidget* widget = view->widget();
        if (widget->isVisible() && widget->width() * widget->height() > largest.width() * largest.height())
            largest = widget->size();
    }
    return largest.isEmpty() ? 1 : double(largest.width()) / largest.height();
}

QSize ViewArea::rasterSizeIn(QSize area) const {
    const int count = std::max<int>(1, int(docked().size()));
    const bool isLarge = large() == m_raster;
    if (isDetached(m_raster))
        return m_raster->size();
    if (m_layout == ViewLayout::beside)
        return {area.width() / count, area.height()};
    if (m_layout == ViewLayout::stacked)
        return {area.width(), area.height() / count};
    if (m_layout == ViewLayout::alone || count == 1)
        return area;
    return isLarge ? QSize(area.width() * kLargePart / (kLargePart + 1), area.height())
                   : QSize(area.width() / (kLargePart + 1), area.height() / (count - 1));
}

ViewSheet ViewArea::sheet() const {
    constexpr std::optional<PictureContent> contents[] = {PictureContent::voxels, PictureContent::mesh,
                                                          std::nullopt};
    const bool allHere = std::all_of(m_views.begin(), m_views.end(), [this](ScanView* view) {
        return !isDetached(view) && view->widget()->isVisible();
    });
    ViewSheet sheet{{}, size() * devicePixelRatio()};
    for (std::size_t i = 0; i < m_views.size(); ++i) {
        QRectF place(double(i) / 3, 0, 1.0 / 3, 1);
        if (const QWidget* widget = m_views[i]->widget(); allHere) {
            const QPointF corner = widget->mapTo(this, QPoint(0, 0));
            place = {corner.x() / width(), corner.y() / height(), double(widget->width()) / width(),
                     double(widget->height()) / height()};
        }
        sheet.panels.push_back({contents[i], place});
    }
    return sheet;
}

QJsonObject ViewArea::state() const {
    QJsonArray windows;
    for (const DetachedView* window : m_windows)
        windows.append(window ? QString::fromLatin1(window->saveGeometry().toBase64()) : QString());
    if (!m_windowsToCome.isEmpty())
        windows = m_windowsToCome;
    return {{kLayoutKey, kLayoutNames[std::size_t(m_layout)]},
            {kBeforeKey, kLayoutNames[std::size_t(m_before)]},
            {kLargeKey, int(std::find(m_views.begin(), m_views.end(), m_large) - m_views.begin())},
            {kWindowsKey, windows}};
}

void ViewArea::restore(const QJsonObject& state) {
    m_layout = layoutNamed(state.value(kLayoutKey).toString(), ViewLayout::beside);
    m_before = layoutNamed(state.value(kBeforeKey).toString(), ViewLayout::beside);
    if (m_before == ViewLayout::alone) // a double click would have no effect
        m_before = ViewLayout::beside;
    const int large = state.value(kLargeKey).toInt(1);
    m_large = m_current = m_views[std::size_t(std::clamp(large, 0, 2))];
    m_windowsToCome = state.value(kWindowsKey).toArray();
    if (isVisible())
        restoreWindows();
    place();
}

void ViewArea::restoreWindows() {
    const QJsonArray windows = std::exchange(m_windowsToCome, {});
    for (std::size_t i = 0; i < m_views.size(); ++i) {
        const QByteArray geometry = QByteArray::fromBase64(windows.at(qsizetype(i)).toString().toLatin1());
        setDetached(m_views[i], !geometry.isEmpty());
        if (m_windows[i])
            m_windows[i]->restoreGeometry(geometry); // on a screen that exists
    }
}

void ViewArea::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!m_windowsToCome.isEmpty())
        // deferred, since views move only when all of them are shown
        QTimer::singleShot(0, this, &ViewArea::restoreWindows);
}

} // namespace scanloupe::gui
