// Keeps the scans that were opened last in the settings.
#include "gui/app/recent_files.h"

#include "gui/base/raw_text.h"

#include <QFileInfo>
#include <QSettings>
#include <QUrl>

namespace scanloupe::gui {

namespace {
constexpr qsizetype kMost = 10;
constexpr const char* kKey = "recentFiles";
const QString kAddress = QStringLiteral("file://");
} // namespace

RecentFiles::RecentFiles(QObject* parent) : QObject(parent) {
    for (const QString& kept : QSettings().value(kKey).toStringList())
        m_paths << (kept.startsWith(kAddress) ? rawTextOf(QUrl::fromEncoded(kept.toLatin1())) : kept);
}

void RecentFiles::add(const QString& path) {
    const QString whole = QFileInfo(path).absoluteFilePath();
    m_paths.removeAll(whole);
    m_paths.prepend(whole);
    m_paths = m_paths.mid(0, kMost);
    QStringList kept; // settings are UTF-8: other names are stored as URLs
    for (const QString& one : m_paths)
        kept << (one.isValidUtf16()
                     ? one
                     : kAddress + QString::fromLatin1(
                                      QByteArray::fromStdString(rawBytes(one)).toPercentEncoding("/")));
    QSettings().setValue(kKey, kept);
    emit changed(m_paths);
}

} // namespace scanloupe::gui
