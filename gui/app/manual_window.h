#pragma once
#include <QString>
#include <QWidget>

class QListWidget;
class QTextBrowser;

namespace scanloupe::gui {

/// The manual as Markdown, with the list of parameters from their declaration.
QString manualText();

/// The manual beside the window: its headings on the left, its text on the right.
class ManualWindow : public QWidget {
    Q_OBJECT
public:
    explicit ManualWindow(QWidget* parent = nullptr);

private:
    void listHeadings();
    void scrollTo(int block);

    QListWidget* m_headings;
    QTextBrowser* m_text;
};

} // namespace scanloupe::gui
