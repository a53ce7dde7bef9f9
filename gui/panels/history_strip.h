#pragma once
// Declares the chart of the last runs.
#include <QWidget>

namespace scanloupe::gui {

class RunHistoryModel;
struct RunRecord;

/// Draws the last runs as stacked columns, oldest on the left: each stage in its colour, previews paler.
class HistoryStrip : public QWidget {
    Q_OBJECT
public:
    /// `model` must outlive this.
    explicit HistoryStrip(const RunHistoryModel* model, QWidget* parent = nullptr);
    QSize sizeHint() const override { return {240, 64}; }
    QSize minimumSizeHint() const override { return {120, 40}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    double columnWidth() const;
    void paintRun(QPainter& painter, const RunRecord& record, QRectF column, double pixelsPerMs) const;

    const RunHistoryModel* m_model;
};

} // namespace scanloupe::gui
