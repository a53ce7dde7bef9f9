#pragma once
// Declares the options of a picture to be saved.
#include "gui/base/snapshot_ptr.h"

#include <QSize>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QSpinBox;

namespace scanloupe::gui {

/// Content and size of a picture to be saved.
class PictureOptions : public QWidget {
    Q_OBJECT
public:
    /// Begins with the content and the size of the rasterized view.
    explicit PictureOptions(const Snapshot& snapshot, QWidget* parent = nullptr);

    PictureContent content() const;
    /// Offers a picture of all views, in the shape of `size` device pixels.
    void offerAllViews(QSize size);
    bool isOfAllViews() const;
    QSize pixels() const;
    /// While the shape is kept, the width determines the height.
    void setPixels(QSize pixels);

private:
    void keepAspectRatio(QSpinBox* edited);
    /// Begins with the size on the screen of what is chosen.
    void showSize();
    /// On the screen, device pixels.
    QSize sizeOnScreen() const;

    QComboBox* m_content;
    QSpinBox *m_width, *m_height;
    QCheckBox* m_keepShape;
    QSize m_view;     ///< size of the view's picture
    QSize m_allViews; ///< size of all views
};

} // namespace scanloupe::gui
