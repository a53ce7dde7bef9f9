#pragma once
// Declares the text of the manual's window.
#include <QTextBrowser>

namespace scanloupe::gui {

/// Shows pages of the manual by their URL (qrc:/manual/PAGE.md), with QTextBrowser's links and history.
/// Headings have anchors, which QTextDocument does not make for Markdown, and pictures fit the width of the
/// text.
class ManualBrowser : public QTextBrowser {
    Q_OBJECT
public:
    explicit ManualBrowser(QWidget* parent = nullptr);
    QVariant loadResource(int type, const QUrl& url) override;
    /// Shows a page from its start.
    void showPage(const QString& fileName);
    /// The file name of the page that is shown.
    QString page() const { return m_page; }

protected:
    void doSetSource(const QUrl& url, QTextDocument::ResourceType type) override;

private:
    void addAnchors();

    QString m_page; // kept separately: during sourceChanged(), source() still returns the previous page
};

} // namespace scanloupe::gui
