#pragma once
#include "engine/pipeline/timings.h"

#include <QWidget>

namespace scanloupe::gui {

/// The last run as a bar a stage: wall time, device time within it, parts of a stage as pieces; reused stages
/// are grey.
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
    QRectF barArea(std::size_t row) const;
    QString describe(const StageTiming& stage) const;
    void paintBar(QPainter& painter, std::size_t index) const;

    /// What a stage took when it last ran; null when it never did.
    const StageTiming* lastRun(const std::string& stage) const;

    RunTimings m_timings;
    std::vector<StageTiming> m_lastRuns; ///< of the stages that were reused since
    bool m_preview = false;
    double m_scaleMs = 1; ///< what the whole width stands for
};

} // namespace scanloupe::gui
