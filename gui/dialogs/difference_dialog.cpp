// Compares the mesh view's picture by OpenGL with one by the software rasterizer.
#include "gui/dialogs/difference_dialog.h"

#include "engine/picture/picture_scene.h"
#include "engine/recipe/recipe.h"
#include "gui/controls/fit_to_screen.h"
#include "gui/jobs/failure.h"
#include "gui/opengl/opengl_probe.h"
#include "gui/views/gl_view.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QSpinBox>
#include <QVBoxLayout>

namespace scanloupe::gui {

namespace {

constexpr int kTolerance = 8; // levels of 255: above the effects of rounding and interpolation

/// Draws the mesh with the software rasterizer, as the mesh view shows it.
QImage softwarePicture(const Snapshot& snapshot, const Camera& camera, QSize size,
                       const std::stop_token& stop) {
    Recipe look = snapshot.resolved;
    look.show = PictureContent::mesh;
    const PictureScene scene(snapshot, look, {}, stop);
    const DrawnPixels drawn = scene.draw(scene.projection(camera, size.width(), size.height()), stop);
    return QImage(reinterpret_cast<const uchar*>(drawn.image.pixels.data()), drawn.image.width,
                  drawn.image.height, qsizetype{4} * drawn.image.width, QImage::Format_RGBX8888)
        .convertToFormat(QImage::Format_RGB32);
}

} // namespace

DifferenceDialog::DifferenceDialog(MeshView& view, LinkedCamera& camera, QWidget* parent)
    : QDialog(parent), m_view(view), m_camera(camera), m_sentence(new QLabel), m_picture(new QLabel),
      m_shown(new QComboBox), m_tolerance(new QSpinBox),
      m_background([this](const Pictures& pictures) { onPictures(pictures); },
                   [this](const std::exception_ptr& error) {
                       m_sentence->setText(tr("The software rasterizer's picture can't be drawn.") +
                                           QLatin1Char(' ') + failureOf(error, {}).sentence);
                   }) {
    setWindowTitle(tr("Compare OpenGL and Software Rasterizer"));
    m_sentence->setWordWrap(true);
    m_sentence->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_sentence->setMinimumHeight(2 * fontMetrics().lineSpacing());
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_picture->setAlignment(Qt::AlignCenter);
    m_picture->setMinimumSize(320, 240);
    m_picture->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    m_shown->addItems({tr("difference"), tr("OpenGL"), tr("software rasterizer")});
    m_tolerance->setRange(0, 254);
    m_tolerance->setValue(kTolerance);
    m_tolerance->setToolTip(
        tr("Pixels count as equal if no colour channel (0 to 255) differs by more than this"));

    auto* choices = new QHBoxLayout;
    auto* shownLabel = new QLabel(tr("&Show:"));
    shownLabel->setBuddy(m_shown);
    auto* toleranceLabel = new QLabel(tr("&Tolerance:"));
    toleranceLabel->setBuddy(m_tolerance);
    choices->addWidget(shownLabel);
    choices->addWidget(m_shown);
    choices->addSpacing(16);
    choices->addWidget(toleranceLabel);
    choices->addWidget(m_tolerance);
    choices->addStretch(1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_sentence);
    column->addLayout(choices);
    column->addWidget(m_picture, 1);
    column->addWidget(buttons);
    resizeOnScreen(this, {640, 640});

    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    connect(m_shown, &QComboBox::currentIndexChanged, this, &DifferenceDialog::showPicture);
    connect(m_tolerance, &QSpinBox::valueChanged, this, &DifferenceDialog::compare);
    m_drawTimer.setSingleShot(true);
    m_drawTimer.setInterval(150); // ms without camera moves before a comparison
    connect(&m_drawTimer, &QTimer::timeout, this, &DifferenceDialog::draw);
    connect(&view, &GlView::completed, &m_drawTimer, qOverload<>(&QTimer::start));
    connect(&camera, &LinkedCamera::changed, &m_drawTimer, qOverload<>(&QTimer::start));
}

void DifferenceDialog::setSnapshot(const SnapshotPtr& snapshot) {
    m_snapshot = snapshot;
    m_drawTimer.start();
}

void DifferenceDialog::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    m_drawTimer.start();
}

void DifferenceDialog::draw() {
    if (!isVisible())
        return;
    if (!m_view.canvas()) {
        m_sentence->setText(openGlState().problem);
        return;
    }
    if (m_view.isHidden()) {
        m_sentence->setText(
            tr("The mesh view is hidden. Double-click the maximized view to show all views."));
        return;
    }
    if (m_view.showsWireframe()) {
        m_sentence->setText(tr("Turn Wireframe off: the software rasterizer draws faces only."));
        return;
    }
    if (!m_snapshot || m_snapshot->preview || !m_view.isComplete()) {
        m_sentence->setText(tr("The mesh view is still drawing."));
        return; // the view's signal completed() will request the comparison again
    }
    const Camera camera = m_camera.camera();
    const QImage openGl = m_view.canvas()->picture();
    m_background.run([snapshot = m_snapshot, camera, openGl](const std::stop_token& stop) {
        return Pictures{openGl, softwarePicture(*snapshot, camera, openGl.size(), stop), camera};
    });
}

void DifferenceDialog::onPictures(const Pictures& pictures) {
    m_pictures = pictures;
    compare();
    if (pictures.camera == m_camera.camera())
        emit compared();
}

void DifferenceDialog::compare() {
    if (m_pictures.openGl.isNull())
        return;
    m_difference = differenceOf(m_pictures.openGl, m_pictures.software, m_tolerance->value());
    const QLocale locale;
    m_sentence->setText(tr("%1 of %2 pixels (%3 %) differ by more than %4 of 255; maximum difference: %5. "
                           "OpenGL renderer: %6.")
                            .arg(locale.toString(m_difference.differing),
                                 locale.toString(m_difference.pixels),
                                 locale.toString(100 * m_difference.share(), 'f', 2))
                            .arg(m_tolerance->value())
                            .arg(m_difference.largest)
                            .arg(openGlState().renderer));
    showPicture();
}

QString DifferenceDialog::sentence() const {
    return m_sentence->text();
}

void DifferenceDialog::showPicture() {
    const QImage* const images[] = {&m_difference.image, &m_pictures.openGl, &m_pictures.software};
    const QImage& image = *images[m_shown->currentIndex()];
    if (image.isNull())
        return;
    const double ratio = devicePixelRatioF();
    const QSize room = (QSizeF(m_picture->size()) * ratio).toSize();
    // unscaled if there is room: differences are often one pixel wide
    QPixmap pixmap =
        QPixmap::fromImage(image.width() <= room.width() && image.height() <= room.height()
                               ? image
                               : image.scaled(room, Qt::KeepAspectRatio, Qt::SmoothTransformation));
    pixmap.setDevicePixelRatio(ratio);
    m_picture->setPixmap(pixmap);
}

void DifferenceDialog::resizeEvent(QResizeEvent* event) {
    QDialog::resizeEvent(event);
    showPicture();
}

} // namespace scanloupe::gui
