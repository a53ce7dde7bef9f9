#pragma once
// Declares the list of the most recently opened scans.
#include <QObject>
#include <QStringList>

namespace scanloupe::gui {

/// The most recently opened scans, newest first; kept between sessions.
class RecentFiles : public QObject {
    Q_OBJECT
public:
    explicit RecentFiles(QObject* parent = nullptr);
    const QStringList& paths() const { return m_paths; }
    void add(const QString& path);

signals:
    void changed(const QStringList& paths);

private:
    QStringList m_paths;
};

} // namespace scanloupe::gui
