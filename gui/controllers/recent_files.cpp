// Keeps the most recently opened scans in the settings.
#include "gui/controllers/recent_files.h"

#include "gui/base/raw_text.h"
#include "gui/base/settings.h"

#include <QFileInfo>
#include <QUrl>

namespace scanloupe::gui {

namespace {
constexpr qsizetype kMaxRecentFiles = 10;
const QString kAddress = QStringLiteral("file://");
} // namespace

RecentFiles::RecentFiles(QObject* parent) : QObject(parent) {
    for (const QString& kept : settings::recentFiles.value())
        m_paths << (kept.startsWith(kAddress) ? rawTextOf(QUrl::fromEncoded(kept.toLatin1())) : kept);
}

void RecentFiles::add(const QString& path) {
    const QString whole = QFileInfo(path).absoluteFilePath();
    m_paths.removeAll(whole);
    m_paths.prepend(whole);
    m_paths = m_paths.mid(0, kMaxRecentFiles);
    QStringList kept; // names that are not UTF-8 are stored as URLs, since settings are UTF-8
    for (const QString& one : m_paths)
        kept << (one.isValidUtf16()
                     ? one
                     : kAddress + QString::fromLatin1(
                                      QByteArray::fromStdString(rawBytes(one)).toPercentEncoding("/")));
    settings::recentFiles.set(kept);
    emit changed(m_paths);
}

} // namespace scanloupe::gui
