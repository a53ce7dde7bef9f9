#pragma once
// Declares the options of a picture to be saved.
#include "gui/base/snapshot_ptr.h"

#include <QSize>
#include <QWidget>

#include <cstdint>

class QCheckBox;
class QComboBox;
class QSpinBox;

namespace scanloupe {
enum class PictureContent : std::uint8_t;
struct Snapshot;
} // namespace scanloupe

namespace scanloupe::gui {

/// Content and size of a picture to be saved.
class PictureOptions : public QWidget {
    Q_OBJECT
public:
    /// Begins with the content and the size of the rasterized view.
    explicit PictureOptions(const Snapshot& snapshot, QWidget* parent = nullptr);

    PictureContent content() const;
    /// Offers a picture of all views, with the aspect ratio of `size` device pixels.
    void offerAllViews(QSize size);
    bool isOfAllViews() const;
    QSize pixels() const;
    /// Sets the size; while the aspect ratio is kept, the width determines the height.
    void setPixels(QSize pixels);

private:
    void keepAspectRatio(QSpinBox* edited);
    /// Sets the size to that of the chosen content on the screen.
    void showSize();
    /// Size of the content on the screen, device pixels.
    QSize sizeOnScreen() const;

    QComboBox* m_content;
    QSpinBox *m_width, *m_height;
    QCheckBox* m_keepShape;
    QSize m_view;     ///< size of the view's picture
    QSize m_allViews; ///< size of all views
};

} // namespace scanloupe::gui
