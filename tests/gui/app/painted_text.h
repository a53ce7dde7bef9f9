#pragma once
// Declares what tests read off a painted widget: its texts, and where they are.
#include <QRectF>
#include <QString>
#include <vector>

class QWidget;

namespace scanloupe::test {

/// A run of text that a widget has painted.
struct PaintedText {
    QString text;
    QRectF ink;  ///< bounds of its letters in the widget, logical pixels
    QRectF clip; ///< what of the widget the painter had left to paint on
};

/// Paints a widget, without its children, and returns its texts. Texts that a widget paints as outlines, or
/// into a picture of its own, as the views do, are not among them.
std::vector<PaintedText> paintedTexts(QWidget& widget);

} // namespace scanloupe::test
