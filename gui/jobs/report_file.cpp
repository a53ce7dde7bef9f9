// Writes reports as HTML pages, or prints them to PDF with Qt.
#include "gui/jobs/report_file.h"

#include "engine/io/common/file_ending.h"
#include "engine/io/common/write/write_atomically.h"

#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgRenderer>
#include <QTextDocument>
#include <QUrl>

namespace scanloupe::gui {

namespace {

constexpr double kSharper = 2; // resolution of the histogram relative to a screen

QImage imageOf(const Image& picture) {
    return QImage(reinterpret_cast<const uchar*>(picture.pixels.data()), picture.width, picture.height,
                  QImage::Format_RGBA8888)
        .copy();
}

QImage rendered(const std::string& svg) {
    QSvgRenderer renderer(QByteArray::fromStdString(svg));
    const QSize size = renderer.defaultSize();
    QImage image(size * kSharper, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    renderer.render(&painter);
    painter.end();
    image.setDevicePixelRatio(kSharper);
    return image;
}

QByteArray pdfOf(const InspectionReport& report) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setPageSize(QPageSize(QPageSize::A4));
    writer.setPageMargins(QMarginsF(15, 15, 15, 15), QPageLayout::Millimeter);
    writer.setTitle(QStringLiteral("Inspection"));
    writer.setCreator(QStringLiteral("Scanloupe"));
    QTextDocument document;
    document.addResource(QTextDocument::ImageResource, QUrl(QStringLiteral("histogram.svg")),
                         rendered(histogramSvg(report)));
    for (std::size_t i = 0; i < report.pictures.size(); ++i)
        document.addResource(QTextDocument::ImageResource, QUrl(QStringLiteral("picture%1.png").arg(i)),
                             imageOf(report.pictures[i].image));
    document.setHtml(QString::fromStdString(toHtml(report, PictureLinks::named)));
    // laid out like a screen on which two pictures fit side by side, and scaled to the paper
    const QSizeF paper = writer.pageLayout().paintRectPixels(writer.resolution()).size();
    constexpr double width = 1000;
    document.setPageSize(QSizeF(width, width * paper.height() / paper.width()));
    QPainter painter(&writer);
    const double scale = paper.width() / width;
    for (int page = 0; page < document.pageCount(); ++page) {
        if (page > 0)
            writer.newPage();
        painter.save();
        painter.scale(scale, scale);
        painter.translate(0, -page * document.pageSize().height());
        document.drawContents(
            &painter, QRectF(0, page * document.pageSize().height(), width, document.pageSize().height()));
        painter.restore();
    }
    painter.end();
    return bytes;
}

} // namespace

void writeReport(const std::filesystem::path& target, const InspectionReport& report,
                 const std::stop_token& stop) {
    requireEnding(target, {".html", ".htm", ".pdf"}, "a report");
    const bool isPdf = lowerEnding(target) == ".pdf";
    const std::string content = isPdf ? pdfOf(report).toStdString() : toHtml(report);
    writeAtomically(
        target, [&](std::ostream& out) { out << content; }, stop);
}

} // namespace scanloupe::gui
