// Keeps measures as small projects, named after their scan's path.
#include "gui/jobs/measure_store.h"

#include "engine/io/common/write/own_files.h"
#include "engine/project/project.h"
#include "gui/base/raw_text.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

namespace scanloupe::gui {

namespace {

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

MeasureStore::MeasureStore()
    : m_folder(QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) +
               QStringLiteral("/measures")) {}

QString MeasureStore::fileOf(const QString& scan) const {
    const QByteArray path = QFile::encodeName(QFileInfo(scan).absoluteFilePath());
    return QDir(m_folder).filePath(
        QString::fromLatin1(QCryptographicHash::hash(path, QCryptographicHash::Sha1).toHex()) +
        QStringLiteral(".json"));
}

MeasureList MeasureStore::of(const QString& scan) {
    m_known = contentOf(fileOf(scan));
    if (scan.isEmpty() || !QFileInfo::exists(fileOf(scan)))
        return {};
    return readProject(rawPath(fileOf(scan))).measures;
}

bool MeasureStore::keep(const QString& scan, const MeasureList& measures) {
    const QString file = fileOf(scan);
    if (scan.isEmpty() || contentOf(file) != m_known)
        return false;
    if (measures.empty()) {
        m_known.clear();
        return removeOwnFile(rawPath(file));
    }
    Project project;
    project.scans = {{rawPath(QFileInfo(scan).absoluteFilePath())}};
    project.measures = measures;
    QDir().mkpath(m_folder);
    try {
        writeProject(rawPath(file), project);
        m_known = contentOf(file);
        return true;
    } catch (const Error&) { // such as a full disk
        return false;
    }
}

} // namespace scanloupe::gui
