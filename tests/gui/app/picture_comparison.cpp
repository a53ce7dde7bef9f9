// Compares pictures of windows with the stored ones.
#include "tests/gui/app/picture_comparison.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QPainter>
#include <algorithm>
#include <vector>

namespace scanloupe::test {

namespace {

// Maximum width of a stored picture, pixels. Texts shrink to dots; boxes remain visible.
constexpr int kWidth = 192;
constexpr int kLeastScale = 5; // minimum reduction of a window
constexpr int kBlock = 4;      // pixels

QString keptPath(const QString& name) {
    return QStringLiteral(SCANLOUPE_SOURCE_DIR) + QStringLiteral("/tests/gui/pictures/%1.png").arg(name);
}

bool isSame(const PictureDistance& distance) {
    return distance.mean <= kMaxMeanDifference && distance.worst <= kMaxBlockDifference;
}

/// Saves the failed picture in a folder next to the program. @return the folder
QString saveFailure(const QString& name, const QImage& seen, const QImage& kept, const QImage& difference) {
    const QDir folder(QCoreApplication::applicationDirPath() + QStringLiteral("/pictures-failed"));
    const QString base = folder.filePath(name);
    QDir().mkpath(QFileInfo(base).path());
    QImage sheet(seen.width(), 3 * seen.height() + 8, QImage::Format_RGB32);
    sheet.fill(Qt::magenta);
    QPainter painter(&sheet);
    painter.drawImage(0, 0, seen);
    painter.drawImage(0, seen.height() + 4, kept);
    painter.drawImage(0, 2 * seen.height() + 8, difference);
    painter.end();
    sheet.save(base + QStringLiteral("-difference.png"));
    return folder.path();
}

} // namespace

QImage reduced(const QImage& window) {
    const int width = std::min(kWidth, window.width() / kLeastScale);
    QImage small =
        window.convertToFormat(QImage::Format_RGB32).scaledToWidth(width, Qt::SmoothTransformation);
    small.setDevicePixelRatio(1);
    small = small.convertToFormat(QImage::Format_RGB32);
    for (int y = 0; y < small.height(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(small.scanLine(y));
        for (int x = 0; x < small.width(); ++x)
            line[x] = (line[x] & 0xfff0f0f0U) | 0xff080808U;
    }
    return small;
}

PictureDistance distanceOf(const QImage& a, const QImage& b) {
    PictureDistance distance{0, 0, QImage(a.size(), QImage::Format_RGB32)};
    const int across = (a.width() + kBlock - 1) / kBlock, down = (a.height() + kBlock - 1) / kBlock;
    std::vector<double> sums(std::size_t(across) * std::size_t(down)), pixels(sums.size());
    double total = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) {
            const QRgb p = a.pixel(x, y), q = b.pixel(x, y);
            const int apart =
                std::abs(qRed(p) - qRed(q)) + std::abs(qGreen(p) - qGreen(q)) + std::abs(qBlue(p) - qBlue(q));
            const auto block = std::size_t(y / kBlock) * std::size_t(across) + std::size_t(x / kBlock);
            sums[block] += apart / 3.0;
            pixels[block] += 1;
            total += apart / 3.0;
            const int grey = std::min(255, apart);
            distance.image.setPixel(x, y, qRgb(grey, grey, grey));
        }
    for (std::size_t i = 0; i < sums.size(); ++i)
        // a block at the border with few pixels counts less
        distance.worst = std::max(distance.worst, sums[i] / std::max(pixels[i], kBlock * kBlock / 2.0));
    distance.mean = total / (double(a.width()) * a.height());
    return distance;
}

bool looksAsKept(const QImage& window, const QString& name) {
    const QImage kept = QImage(keptPath(name)).convertToFormat(QImage::Format_RGB32), seen = reduced(window);
    return kept.size() == seen.size() && isSame(distanceOf(seen, kept));
}

QString compareWithKept(const QImage& window, const QString& name) {
    const QString path = keptPath(name);
    const QImage seen = reduced(window);
    if (qEnvironmentVariableIsSet("SCANLOUPE_UPDATE")) {
        QDir().mkpath(QFileInfo(path).path());
        return seen.save(path, "PNG", 0) ? QString() : QStringLiteral("%1 can't be written").arg(path);
    }
    const QImage kept = QImage(path).convertToFormat(QImage::Format_RGB32);
    if (kept.isNull())
        return QStringLiteral("there is no %1: write it with SCANLOUPE_UPDATE=1, and look at it").arg(path);
    if (kept.size() != seen.size())
        return QStringLiteral("%1 has %2 x %3 pixels, the window's picture %4 x %5; it lies in %6")
            .arg(name)
            .arg(kept.width())
            .arg(kept.height())
            .arg(seen.width())
            .arg(seen.height())
            .arg(saveFailure(name, seen, kept.scaled(seen.size()), seen));
    const PictureDistance distance = distanceOf(seen, kept);
    if (isSame(distance))
        return {};
    return QStringLiteral("%1 differs by %2 of 255, in a block by %3: seen, kept and difference lie in %4")
        .arg(name)
        .arg(distance.mean, 0, 'f', 2)
        .arg(distance.worst, 0, 'f', 1)
        .arg(saveFailure(name, seen, kept, distance.image));
}

} // namespace scanloupe::test
