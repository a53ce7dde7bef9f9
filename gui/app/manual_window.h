#pragma once
// Declares the window of the manual.
#include "gui/app/manual_pages.h"

#include <QStringList>
#include <QWidget>
#include <functional>
#include <string>
#include <utility>
#include <vector>

class QListWidget;
class QListWidgetItem;

namespace scanloupe::gui {

class FindBar;
class ManualBrowser;

/// Shows the manual: all pages and the headings of the current one on the left, its text on the right. Links
/// lead to other pages and Alt+Left back. Ctrl+F searches all pages; Esc closes the search, and then the
/// window.
class ManualWindow : public QWidget {
    Q_OBJECT
public:
    explicit ManualWindow(QWidget* parent = nullptr);
    /// Shows the entry of a parameter.
    void showParameter(const std::string& key);

private:
    void addShortcut(const QKeySequence& keys, std::function<void()> action);
    void onSourceChanged();
    void listContents();
    void onCurrentItem(const QListWidgetItem* item);
    void scrollTo(int block);
    int currentPage() const;
    int matchesIn(int page, const QString& words);
    std::pair<int, int> matchesElsewhere(const QString& words);
    void searchOtherPage(int by);

    std::vector<ManualPage> m_pages;
    QStringList m_texts; ///< texts of the pages without markup, for the search; read at the first search
    bool m_isSearching = false;
    QListWidget* m_contents;
    ManualBrowser* m_text;
    FindBar* m_find;
};

} // namespace scanloupe::gui
