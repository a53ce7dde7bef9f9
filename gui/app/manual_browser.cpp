// Loads pages of the manual with their pictures and anchors.
#include "gui/app/manual_browser.h"

#include "gui/app/manual_pages.h"

#include <QImage>
#include <QTextBlock>
#include <QTextCursor>
#include <QUrl>
#include <algorithm>

namespace scanloupe::gui {

namespace {

constexpr int kPictureWidth = 600; // pixels: the text's width in a window of the usual size

QUrl manualFolder() {
    return QUrl(QStringLiteral("qrc:/manual/"));
}

} // namespace

ManualBrowser::ManualBrowser(QWidget* parent) : QTextBrowser(parent) {
    document()->setDocumentMargin(16);
    setOpenExternalLinks(true);
    connect(this, &QTextBrowser::sourceChanged, this, [this](const QUrl& url) {
        m_page = url.fileName();
        addAnchors();
    });
}

QVariant ManualBrowser::loadResource(int type, const QUrl& url) {
    if (type == QTextDocument::MarkdownResource)
        return manualPage(url.fileName());
    if (type != QTextDocument::ImageResource)
        return QTextBrowser::loadResource(type, url);
    QImage image(QLatin1Char(':') + manualFolder().resolved(url).path());
    if (image.isNull())
        return {};
    image.convertTo(QImage::Format_RGB32); // scaling an image with a palette would dither it
    const double ratio = devicePixelRatioF();
    image =
        image.scaledToWidth(std::min(image.width(), int(kPictureWidth * ratio)), Qt::SmoothTransformation);
    image.setDevicePixelRatio(ratio);
    return image;
}

void ManualBrowser::showPage(const QString& fileName) {
    setSource(manualFolder().resolved(QUrl(fileName)));
}

void ManualBrowser::doSetSource(const QUrl& url, QTextDocument::ResourceType type) {
    QTextBrowser::doSetSource(url, type);
    if (url.hasFragment())
        scrollToAnchor(url.fragment()); // the anchors exist only after the page is loaded
}

void ManualBrowser::addAnchors() {
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() == 0)
            continue;
        QTextCharFormat format;
        format.setAnchor(true);
        format.setAnchorNames({headingAnchor(block.text())});
        QTextCursor cursor(block);
        cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
        cursor.mergeCharFormat(format);
    }
}

} // namespace scanloupe::gui
