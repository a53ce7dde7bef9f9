#pragma once
// Declares the line that tells what the parameters will make and take.
#include "gui/jobs/forecast_session.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace scanloupe::gui {

/// Shows a forecast; of what can't fit the reason, and a button with the nearest voxel size that does.
class ForecastLine : public QWidget {
    Q_OBJECT
public:
    explicit ForecastLine(QWidget* parent = nullptr);

    void showAnswer(const ForecastAnswer& answer);
    QString text() const;
    bool isRefused() const { return m_refused; }

signals:
    /// A voxel size that fits is wanted, metres.
    void sizeTaken(double size);

protected:
    void changeEvent(QEvent* event) override;

private:
    void showColours();

    QLabel* m_text;
    QPushButton* m_take;
    double m_fittingSize = 0;
    bool m_refused = false;
};

} // namespace scanloupe::gui
