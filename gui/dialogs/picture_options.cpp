// Edits the content and the size of a picture to be saved.
#include "gui/dialogs/picture_options.h"

#include "engine/cloud/attribute.h"
#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>
#include <cmath>
#include <utility>

namespace scanloupe::gui {

namespace {

constexpr int kAllViews = -1; // among the values of PictureContent

QSpinBox* edgeBox(const char* key, const QString& name) {
    const Parameter& p = parameter(key);
    auto* box = new QSpinBox;
    box->setRange(int(p.min), int(p.max));
    box->setAccelerated(true);
    box->setGroupSeparatorShown(false);
    box->setKeyboardTracking(false); // the other edge follows the complete number, not each digit
    box->setObjectName(QString::fromLatin1(key));
    box->setAccessibleName(name);
    return box;
}

} // namespace

PictureOptions::PictureOptions(const Snapshot& snapshot, QWidget* parent)
    : QWidget(parent), m_content(new QComboBox), m_width(edgeBox("image_width", tr("Width"))),
      m_height(edgeBox("image_height", tr("Height"))),
      m_keepShape(new QCheckBox(tr("&Keep aspect ratio of the view"))) {
    m_view = snapshot.picture ? QSize(snapshot.picture->image->width, snapshot.picture->image->height)
                              : QSize(int(Recipe{}.imageWidth), int(Recipe{}.imageHeight));
    const bool volume = snapshot.volume != nullptr; // a volume has only a surface
    if (!volume) {
        m_content->addItem(tr("points"), int(PictureContent::points));
        m_content->addItem(tr("voxels"), int(PictureContent::voxels));
    }
    m_content->addItem(tr("mesh"), int(PictureContent::mesh));
    m_content->setCurrentIndex(std::max(0, m_content->findData(int(snapshot.resolved->show))));
    m_content->setObjectName(QStringLiteral("content"));

    auto* form = new QFormLayout(this);
    form->setContentsMargins(24, 0, 0, 0);
    form->addRow(tr("&Content:"), m_content);
    auto* edges = new QHBoxLayout;
    edges->addWidget(m_width);
    edges->addWidget(new QLabel(QStringLiteral("×")));
    edges->addWidget(m_height);
    edges->addWidget(new QLabel(tr("pixels")));
    edges->addStretch(1);
    edges->addWidget(m_keepShape);
    form->addRow(tr("Si&ze:"), edges);
    if (auto* label = qobject_cast<QLabel*>(form->labelForField(edges)))
        label->setBuddy(m_width);

    m_keepShape->setChecked(true);
    showSize();
    connect(m_content, &QComboBox::currentIndexChanged, this, [this, before = false]() mutable {
        if (std::exchange(before, isOfAllViews()) != isOfAllViews()) // the shape has changed
            showSize();
    });
    connect(m_width, &QSpinBox::valueChanged, this, [this] { keepAspectRatio(m_width); });
    connect(m_height, &QSpinBox::valueChanged, this, [this] { keepAspectRatio(m_height); });
    connect(m_keepShape, &QCheckBox::toggled, this, [this] { keepAspectRatio(m_width); });
}

void PictureOptions::offerAllViews(QSize size) {
    if (m_content->count() == 1 || size.isEmpty()) // a volume has only a surface
        return;
    m_allViews = size;
    m_content->addItem(tr("all three views"), kAllViews);
}

bool PictureOptions::isOfAllViews() const {
    return m_content->currentData().toInt() == kAllViews;
}

QSize PictureOptions::sizeOnScreen() const {
    return isOfAllViews() ? m_allViews : m_view;
}

void PictureOptions::showSize() {
    const QSignalBlocker quiet(m_width), still(m_height);
    m_width->setValue(sizeOnScreen().width());
    m_height->setValue(sizeOnScreen().height());
}

PictureContent PictureOptions::content() const {
    return PictureContent(m_content->currentData().toInt());
}

QSize PictureOptions::pixels() const {
    return {m_width->value(), m_height->value()};
}

void PictureOptions::setPixels(QSize pixels) {
    m_height->setValue(pixels.height());
    m_width->setValue(pixels.width());
}

void PictureOptions::keepAspectRatio(QSpinBox* edited) {
    if (!m_keepShape->isChecked())
        return;
    QSpinBox* other = edited == m_width ? m_height : m_width;
    const double shape = double(sizeOnScreen().width()) / sizeOnScreen().height();
    const double wanted = edited == m_width ? m_width->value() / shape : m_height->value() * shape;
    const QSignalBlocker quiet(other);
    other->setValue(int(std::lround(wanted)));
    if (wanted <= other->maximum())
        return;
    const QSignalBlocker still(edited); // the other edge has reached its limit, so this one is reduced, too
    edited->setValue(int(std::lround(edited == m_width ? other->value() * shape : other->value() / shape)));
}

} // namespace scanloupe::gui
