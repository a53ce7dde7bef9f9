#pragma once
// Declares the window of the manual.
#include <QString>
#include <QWidget>
#include <functional>
#include <string>

class QListWidget;
class QTextBrowser;

namespace scanloupe::gui {

class FindBar;

/// A page of the manual as Markdown, with the list of parameters generated from their declarations. Empty
/// where there is no such page.
QString manualPage(const QString& fileName);

/// Shows a page of the manual: its headings on the left, its text on the right. Links lead to other pages and
/// Alt+Left back. Ctrl+F finds words of the page; Esc closes the search, and then the window.
class ManualWindow : public QWidget {
    Q_OBJECT
public:
    explicit ManualWindow(QWidget* parent = nullptr);
    /// Shows the entry of a parameter.
    void showParameter(const std::string& key);

private:
    void listHeadings();
    void scrollTo(int block);

    void addShortcut(const QKeySequence& keys, std::function<void()> action);

    QListWidget* m_headings;
    QTextBrowser* m_text;
    FindBar* m_find;
};

} // namespace scanloupe::gui
