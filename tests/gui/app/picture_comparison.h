#pragma once
// Declares the comparison of pictures of windows with those that are kept.
#include <QImage>
#include <QString>

namespace scanloupe::test {

/// Largest differences that are none.
inline constexpr double kMostMean = 2.5; ///< of 255, of a whole picture
inline constexpr double kMostBlock =
    14; ///< of a block; a text that is missing from it changes it by 20 and more

/// A picture of a window as it is kept: small, with 16 levels a channel.
QImage reduced(const QImage& window);

/// How much two reduced pictures differ.
struct PictureDistance {
    double mean = 0;  ///< of all channels, 0 to 255
    double worst = 0; ///< mean of the block of 4 x 4 pixels that differs most
    QImage image;     ///< where, in white
};
/// @pre both have the same size
PictureDistance distanceOf(const QImage& a, const QImage& b);

/// Whether a picture of a window is the kept one, within the limits.
bool looksAsKept(const QImage& window, const QString& name);

/// Compares a picture of a window with tests/gui/pictures/NAME.png. Fonts are rendered a little differently
/// from one version of FreeType to the next, and so are triangles by Mesa: that is below the limits, a text
/// or an icon that is missing or has moved is not. $SCANLOUPE_UPDATE set: writes the picture instead.
/// @return what differs and where to look; empty: nothing
QString compareWithKept(const QImage& window, const QString& name);

} // namespace scanloupe::test
