#pragma once
// Declares the texts of a painted widget, with their positions.
#include <QRectF>
#include <QString>
#include <vector>

class QWidget;

namespace scanloupe::test {

/// A run of text that a widget has painted.
struct PaintedText {
    QString text;
    QRectF ink;  ///< bounds of its letters in the widget, logical pixels
    QRectF clip; ///< visible part of the widget when the text was painted
};

/// Paints a widget, without its children, and returns its texts. Texts that a widget paints as outlines, or
/// into an intermediate image, as the views do, are not included.
std::vector<PaintedText> paintedTexts(QWidget& widget);

} // namespace scanloupe::test
