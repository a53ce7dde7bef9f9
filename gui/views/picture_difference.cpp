// Compares two pictures pixel by pixel, and marks where they differ.
#include "gui/views/picture_difference.h"

#include <algorithm>
#include <cstdlib>

namespace scanloupe::gui {

namespace {

int largestStep(QRgb a, QRgb b) {
    return std::max(
        {std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)), std::abs(qBlue(a) - qBlue(b))});
}

/// Dark grey, so that differing pixels stand out.
QRgb dimmed(QRgb colour) {
    const int grey = qGray(colour) / 3;
    return qRgb(grey, grey, grey);
}

/// Yellow for small and red for large differences, which can be distinguished with red-green colour
/// blindness, too.
QRgb warning(int step) {
    return qRgb(255, 230 - 230 * std::min(step, 128) / 128, 0);
}

} // namespace

PictureDifference differenceOf(const QImage& a, const QImage& b, int tolerance) {
    PictureDifference difference;
    if (a.isNull() || a.size() != b.size())
        return difference;
    const QImage first = a.convertToFormat(QImage::Format_RGB32),
                 second = b.convertToFormat(QImage::Format_RGB32);
    difference.image = QImage(first.size(), QImage::Format_RGB32);
    difference.pixels = qint64(first.width()) * first.height();
    for (int y = 0; y < first.height(); ++y) {
        const auto* p = reinterpret_cast<const QRgb*>(first.constScanLine(y));
        const auto* q = reinterpret_cast<const QRgb*>(second.constScanLine(y));
        auto* out = reinterpret_cast<QRgb*>(difference.image.scanLine(y));
        for (int x = 0; x < first.width(); ++x) {
            const int step = largestStep(p[x], q[x]);
            const bool differs = step > tolerance;
            difference.differing += differs;
            difference.largest = std::max(difference.largest, step);
            out[x] = differs ? warning(step) : dimmed(p[x]);
        }
    }
    return difference;
}

} // namespace scanloupe::gui
