#pragma once
#include "gui/views/colour_legend.h"
#include "gui/views/linked_camera.h"
#include "gui/views/scan_view.h"

#include <QImage>
#include <QTimer>
#include <QWidget>

namespace scanloupe::gui {

/// The picture of the software rasterizer. It draws nothing itself: it says which picture it wants, and
/// stretches the last one until that comes.
class RasterView : public QWidget, public ScanView {
    Q_OBJECT
public:
    explicit RasterView(LinkedCamera& camera, QWidget* parent = nullptr);

    QWidget* widget() override { return this; }
    QString title() const override { return tr("Rasterized"); }
    void setSnapshot(const SnapshotPtr& snapshot) override;
    void setStyle(const ViewStyle& style) override;
    std::optional<Hit> pick(QPointF pixel) override;
    bool isComplete() const override;
    ViewNavigation* navigation() override { return m_navigation; }

    /// Device pixels that the view has.
    QSize pixelSize() const;

signals:
    /// Camera (file's frame) and size of the picture that would fit now; after changes, once a turn of the
    /// event loop.
    void pictureWanted(const scanloupe::Camera& camera, QSize devicePixels);
    /// The picture that was wanted is there.
    void completed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void ask();
    QString detail() const;
    std::optional<ColourLegend> legend() const;

    LinkedCamera& m_camera;
    ViewNavigation* m_navigation;
    ViewStyle m_style;
    SnapshotPtr m_snapshot;
    QImage m_image;                       ///< over the pixels of the snapshot's picture
    std::optional<ColourLegend> m_legend; ///< that m_legendImage shows
    QImage m_legendImage;
    QTimer m_askSoon;
};

} // namespace scanloupe::gui
