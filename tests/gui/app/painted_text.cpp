// Records the texts that a widget paints.
#include "tests/gui/app/painted_text.h"

#include <QFontMetricsF>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QWidget>

namespace scanloupe::test {

namespace {

/// A paint engine that only records texts.
class TextEngine : public QPaintEngine {
public:
    TextEngine() : QPaintEngine(AllFeatures) {}
    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    void updateState(const QPaintEngineState&) override {}
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
    void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}
    void drawTiledPixmap(const QRectF&, const QPixmap&, const QPointF&) override {}
    void drawPath(const QPainterPath&) override {}
    void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
    void drawTextItem(const QPointF& at, const QTextItem& item) override {
        const QRectF ink = QFontMetricsF(item.font()).tightBoundingRect(item.text());
        const QTransform toDevice = painter()->combinedTransform();
        QRectF clip(QPointF(0, 0), QSizeF(paintDevice()->width(), paintDevice()->height()));
        if (painter()->hasClipping())
            clip &= toDevice.mapRect(painter()->clipBoundingRect());
        texts.push_back({item.text(), toDevice.mapRect(ink.translated(at)), clip});
    }
    Type type() const override { return User; }

    std::vector<PaintedText> texts;
};

/// A device of a widget's size and resolution.
class TextDevice : public QPaintDevice {
public:
    explicit TextDevice(const QWidget& widget) : m_widget(widget) {}
    QPaintEngine* paintEngine() const override { return &m_engine; }
    std::vector<PaintedText>& texts() { return m_engine.texts; }

protected:
    int metric(PaintDeviceMetric metric) const override {
        switch (metric) {
        case PdmWidth:
            return m_widget.width();
        case PdmHeight:
            return m_widget.height();
        case PdmWidthMM:
            return m_widget.widthMM();
        case PdmHeightMM:
            return m_widget.heightMM();
        case PdmDpiX:
        case PdmPhysicalDpiX:
            return m_widget.logicalDpiX();
        case PdmDpiY:
        case PdmPhysicalDpiY:
            return m_widget.logicalDpiY();
        case PdmDepth:
            return 32;
        case PdmDevicePixelRatio: // positions of texts are in logical pixels
            return 1;
        case PdmDevicePixelRatioScaled:
            return int(devicePixelRatioFScale());
        default: // colours
            return 0;
        }
    }

private:
    const QWidget& m_widget;
    mutable TextEngine m_engine;
};

} // namespace

std::vector<PaintedText> paintedTexts(QWidget& widget) {
    TextDevice device(widget);
    widget.render(&device, {}, {}, {});
    return std::move(device.texts());
}

} // namespace scanloupe::test
