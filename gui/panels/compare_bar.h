#pragma once
// Declares the bar that shows how two runs differ.
#include <QFrame>

class QLabel;
class QPushButton;
class QScrollArea;

namespace scanloupe::gui {

struct Comparison;

/// The figures of A and B, their differences, and commands on them. Hidden without a comparison.
class CompareBar : public QFrame {
    Q_OBJECT
public:
    explicit CompareBar(QWidget* parent = nullptr);

    /// @param ofBackends whether both have the recipe of B
    void setComparison(const Comparison& comparison, bool ofBackends);

signals:
    void swapRequested();
    void takeRequested();
    void endRequested();

private:
    QScrollArea* m_scroll; ///< for a narrow window
    QLabel *m_figures, *m_verdict, *m_changes;
    QPushButton *m_swap, *m_take;
};

} // namespace scanloupe::gui
