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
    QSize pixels() const;
    /// While the shape is kept, the width determines the height.
    void setPixels(QSize pixels);

private:
    void keepAspectRatio(QSpinBox* edited);

    QComboBox* m_content;
    QSpinBox *m_width, *m_height;
    QCheckBox* m_keepShape;
    QSize m_view; ///< size of the view's picture
};

} // namespace scanloupe::gui
