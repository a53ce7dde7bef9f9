#pragma once
// Declares the bar chart of a run's stages.
#include "engine/graph/timings.h"

#include <QWidget>

namespace scanloupe::gui {

/// Draws the last run as one bar per stage: wall time, device time within it, and the steps of the stage as
/// pieces. Reused stages are grey.
class StageBars : public QWidget {
    Q_OBJECT
public:
    explicit StageBars(QWidget* parent = nullptr);

    void setRun(const RunTimings& timings, bool preview);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    /// The bar of a stage, in the widget's pixels; empty when it took no time.
    QRectF barRect(std::size_t stage) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    int rowHeight() const;
    QRectF rowRect(std::size_t row) const;
    int namesWidth() const; ///< width of the stages' names, with the gap after them
    int timesWidth() const;
    QRectF barArea(std::size_t row) const;
    QString describe(const StageTiming& stage) const;
    void paintBar(QPainter& painter, std::size_t index) const;

    /// Timing of a stage when it last ran; null when it never did.
    const StageTiming* lastRun(const std::string& stage) const;

    RunTimings m_timings;
    std::vector<StageTiming> m_lastRuns; ///< latest timings of stages that have been reused since
    bool m_preview = false;
    double m_scaleMs = 1; ///< time that the whole width represents
};

} // namespace scanloupe::gui
