#pragma once
// Declares the line that forecasts the result, time and memory of the current parameters.
#include "engine/cloud/reference/length_unit.h"
#include "gui/jobs/forecast_runner.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace scanloupe::gui {

/// Shows a forecast; for a recipe that does not fit, the reason, and a button with the nearest voxel size
/// that does.
class ForecastLine : public QWidget {
    Q_OBJECT
public:
    explicit ForecastLine(QWidget* parent = nullptr);

    void showAnswer(const ForecastAnswer& answer);
    QString text() const;
    /// Sets the unit of the scan's coordinates.
    void setUnit(LengthUnit unit);
    bool isRefused() const { return m_refused; }

signals:
    /// Emitted when the user chooses the voxel size that fits.
    void sizeTaken(double size);

protected:
    void changeEvent(QEvent* event) override;

private:
    void showColours();
    void showSize();

    QLabel* m_text;
    QPushButton* m_take;
    double m_fittingSize = 0;
    LengthUnit m_unit = LengthUnit::metre;
    bool m_refused = false;
};

} // namespace scanloupe::gui
