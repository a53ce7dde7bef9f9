#pragma once
// Declares the comparison of two pictures.
#include <QImage>

namespace scanloupe::gui {

/// Difference of two pictures of one size.
struct PictureDifference {
    qint64 pixels = 0;    ///< pixels that were compared
    qint64 differing = 0; ///< pixels that differ by more than the tolerance in one channel
    int largest = 0;      ///< largest difference of a channel, 0 to 255
    QImage image;         ///< the first picture, dimmed; differing pixels from yellow to red
    double share() const { return pixels > 0 ? double(differing) / double(pixels) : 0; }
};

/// Compares the channels red, green and blue. Empty for pictures of different sizes.
PictureDifference differenceOf(const QImage& a, const QImage& b, int tolerance);

} // namespace scanloupe::gui
