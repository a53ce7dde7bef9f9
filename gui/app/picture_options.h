#pragma once
#include "gui/jobs/scan_session.h"

#include <QSize>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QSpinBox;

namespace scanloupe::gui {

/// What a picture to be saved shows, and how large it is.
class PictureOptions : public QWidget {
    Q_OBJECT
public:
    /// As the rasterized view shows it at first.
    explicit PictureOptions(const Snapshot& snapshot, QWidget* parent = nullptr);

    PictureContent content() const;
    QSize pixels() const;
    /// While the shape is kept, a width brings its height.
    void setPixels(QSize pixels);

private:
    void keepAspectRatio(QSpinBox* edited);

    QComboBox* m_content;
    QSpinBox *m_width, *m_height;
    QCheckBox* m_keepShape;
    QSize m_view; ///< of the view's picture
};

} // namespace scanloupe::gui
