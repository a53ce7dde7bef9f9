// Stores measures as small projects, named after their scan's path.
#include "gui/jobs/store/measure_store.h"

#include "engine/io/common/write/own_files.h"
#include "engine/project/project.h"
#include "gui/base/raw_text.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QEvent>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <utility>

namespace scanloupe::gui {

namespace {

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

MeasureStore::MeasureStore(QObject* parent)
    : QObject(parent), m_folder(QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) +
                                QStringLiteral("/measures")),
      m_pool(*this, 1) {}

QString MeasureStore::fileOf(const QString& scan) const {
    const QByteArray path = QFile::encodeName(QFileInfo(scan).absoluteFilePath());
    return QDir(m_folder).filePath(
        QString::fromLatin1(QCryptographicHash::hash(path, QCryptographicHash::Sha1).toHex()) +
        QStringLiteral(".json"));
}

MeasureList MeasureStore::of(const QString& scan) {
    m_pool.wait();
    const QString file = fileOf(scan);
    m_known = contentOf(file);
    const bool isThere = !scan.isEmpty() && QFileInfo::exists(file);
    m_when = isThere ? QFileInfo(file).lastModified() : QDateTime();
    return isThere ? readProject(rawPath(file)).measures : MeasureList();
}

void MeasureStore::keep(const QString& scan, const MeasureList& measures,
                        std::function<void(bool isKept)> ended) {
    const int number = ++m_newest;
    ++m_running;
    m_when = QDateTime::currentDateTime();
    m_pool.start([=, this, file = fileOf(scan), ended = std::move(ended)] {
        // all pending writes belong to one scan, since of() waits for them
        const bool isNewest = number == m_newest;
        const bool isKept = isNewest && write(file, scan, measures);
        m_pool.post([this, isNewest, isKept, ended] {
            --m_running;
            if (isNewest)
                ended(isKept);
        });
    });
}

bool MeasureStore::write(const QString& file, const QString& scan, const MeasureList& measures) {
    if (contentOf(file) != m_known)
        return false;
    if (measures.empty()) {
        m_known.clear();
        return removeOwnFile(rawPath(file));
    }
    try {
        Project project;
        project.scans = {{rawPath(QFileInfo(scan).absoluteFilePath())}};
        project.measures = measures;
        QDir().mkpath(m_folder);
        writeProject(rawPath(file), project);
        m_known = contentOf(file);
        return true;
    } catch (...) { // for example a full disk
        return false;
    }
}

void MeasureStore::settle() {
    constexpr int momentMs = 100;
    if (isKeeping() && m_pool.wait(momentMs))
        QCoreApplication::sendPostedEvents(this, QEvent::MetaCall);
}

} // namespace scanloupe::gui
