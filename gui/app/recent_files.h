#pragma once
// Declares the list of the scans that were opened last.
#include <QObject>
#include <QStringList>

namespace scanloupe::gui {

/// The scans that were opened last, newest first; kept between sessions.
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
