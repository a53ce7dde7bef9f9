#pragma once
#include <QImage>

namespace scanloupe::gui {

/// Where two pictures of one size differ.
struct PictureDifference {
    qint64 pixels = 0;    ///< that were compared
    qint64 differing = 0; ///< by more than the tolerance in one of their channels
    int largest = 0;      ///< of all channels, 0 to 255
    QImage image;         ///< the first picture, dimmed; what differs from yellow to red
    double share() const { return pixels > 0 ? double(differing) / double(pixels) : 0; }
};

/// Compares pictures of red, green and blue. Empty for pictures of different sizes.
PictureDifference differenceOf(const QImage& a, const QImage& b, int tolerance);

} // namespace scanloupe::gui
