#pragma once
// Declares the window of a view that has left the area of the views.
#include <QWidget>

namespace scanloupe::gui {

class ScanView;

/// A window with one view, for a second screen. Closing it returns the view.
class DetachedView : public QWidget {
    Q_OBJECT
public:
    /// @param owner the window that closes it
    DetachedView(ScanView& view, QWidget* owner);

signals:
    void closed();

protected:
    void closeEvent(QCloseEvent* event) override;
};

} // namespace scanloupe::gui
