#pragma once
// Declares the tour of the window.
#include <QFrame>
#include <QPointer>
#include <vector>

class QBoxLayout;
class QLabel;
class QPushButton;

namespace scanloupe::gui {

/// A step of the tour.
struct TourStep {
    QString title, text;
    QPointer<QWidget> explained; ///< the widget to frame
};

/// A bar that explains the window in steps, with a frame around the widget that a step explains. Not modal:
/// the window stays usable. Deletes itself at the end.
class TourBar : public QFrame {
    Q_OBJECT
public:
    /// @param window the window that the frame is drawn in
    TourBar(std::vector<TourStep> steps, QWidget* window);
    ~TourBar() override;

    int step() const { return m_step; }

public slots:
    void next();
    void back();
    void end();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void showStep(int step);
    /// Puts the frame around the explained widget.
    void placeFrame();

    std::vector<TourStep> m_steps;
    int m_step = 0;
    QBoxLayout* m_row; ///< holds the text and the buttons, which are below it in a narrow window
    QLabel* m_text;
    QPushButton *m_back, *m_next;
    QPointer<QWidget> m_frame;
};

} // namespace scanloupe::gui
