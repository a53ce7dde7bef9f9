// Converts between byte strings and QString without loss.
#include "gui/base/raw_text.h"

#include "engine/io/common/text/utf8.h"

#include <QUrl>

namespace scanloupe::gui {

namespace {

constexpr char16_t kFirstByte = 0xdc80, kLastByte = 0xdcff;

/// Length of the UTF-8 character that `bytes` begin with; 0 when they are not UTF-8.
std::size_t lengthOfCharacter(std::string_view bytes) {
    for (std::size_t length = 1; length <= std::min<std::size_t>(4, bytes.size()); ++length)
        if (fromUtf8(bytes.substr(0, length)))
            return length;
    return 0;
}

} // namespace

QString rawText(std::string_view bytes) {
    if (fromUtf8(bytes))
        return QString::fromUtf8(bytes.data(), qsizetype(bytes.size()));
    QString text;
    while (!bytes.empty()) {
        const std::size_t length = lengthOfCharacter(bytes);
        if (length > 0)
            text += QString::fromUtf8(bytes.data(), qsizetype(length));
        else
            text += QChar(char16_t(0xdc00 + static_cast<unsigned char>(bytes.front())));
        bytes.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return text;
}

std::string rawBytes(const QString& text) {
    std::string bytes;
    qsizetype from = 0;
    for (qsizetype i = 0; i <= text.size(); ++i) {
        const bool end = i == text.size();
        const bool paired = i > 0 && text[i - 1].isHighSurrogate();
        if (!end && (paired || text[i].unicode() < kFirstByte || text[i].unicode() > kLastByte))
            continue;
        bytes += text.mid(from, i - from).toStdString();
        if (!end)
            bytes += static_cast<char>(text[i].unicode() - 0xdc00);
        from = i + 1;
    }
    return bytes;
}

std::filesystem::path rawPath(const QString& text) {
    return rawBytes(text);
}

QString rawTextOf(const QUrl& url) {
    if (!url.isLocalFile())
        return {};
    // QUrl::toLocalFile() can't represent bytes that are not UTF-8
    const QByteArray bytes = QByteArray::fromPercentEncoding(url.path(QUrl::FullyEncoded).toLatin1());
    return rawText({bytes.constData(), std::size_t(bytes.size())});
}

QString shownText(std::string_view bytes) {
    return QString::fromStdString(toUtf8(utf8OrLatin1(bytes)));
}

QString shownText(const QString& rawText) {
    return shownText(rawBytes(rawText));
}

} // namespace scanloupe::gui
