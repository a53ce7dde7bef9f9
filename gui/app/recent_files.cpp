#include "gui/app/recent_files.h"

#include <QFileInfo>
#include <QSettings>

namespace scanloupe::gui {

namespace {
constexpr qsizetype kMost = 10;
constexpr const char* kKey = "recentFiles";
} // namespace

RecentFiles::RecentFiles(QObject* parent)
    : QObject(parent), m_paths(QSettings().value(kKey).toStringList()) {}

void RecentFiles::add(const QString& path) {
    const QString whole = QFileInfo(path).absoluteFilePath();
    m_paths.removeAll(whole);
    m_paths.prepend(whole);
    m_paths = m_paths.mid(0, kMost);
    QSettings().setValue(kKey, m_paths);
    emit changed(m_paths);
}

} // namespace scanloupe::gui
