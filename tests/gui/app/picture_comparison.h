#pragma once
// Declares the comparison of pictures of windows with the stored ones.
#include <QImage>
#include <QString>

namespace scanloupe::test {

/// Largest tolerated differences.
inline constexpr double kMaxMeanDifference = 2.5; ///< mean over the picture, of 255
inline constexpr double kMaxBlockDifference =
    14; ///< mean over a block; a missing text changes it by 20 and more

/// The stored form of a window's picture: small, with 16 levels a channel.
QImage reduced(const QImage& window);

/// Difference of two reduced pictures.
struct PictureDistance {
    double mean = 0;  ///< mean over all channels, 0 to 255
    double worst = 0; ///< mean of the block of 4 x 4 pixels that differs most
    QImage image;     ///< map of the differences, in white
};
/// @pre both have the same size
PictureDistance distanceOf(const QImage& a, const QImage& b);

/// Whether a picture of a window matches the stored one within the limits.
bool looksAsKept(const QImage& window, const QString& name);

/// Compares a picture of a window with tests/gui/pictures/NAME.png. Versions of FreeType render fonts
/// slightly differently, and so does Mesa with triangles. These differences are below the limits; missing or
/// moved texts and icons are above. If $SCANLOUPE_UPDATE is set, the picture is written instead.
/// @return a description of the difference with the files; empty: none
QString compareWithKept(const QImage& window, const QString& name);

} // namespace scanloupe::test
