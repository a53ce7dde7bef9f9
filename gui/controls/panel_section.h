#pragma once
// Declares a collapsible section of a panel.
#include <QWidget>
#include <vector>

class QToolButton;
class QVBoxLayout;

namespace scanloupe::gui {

/// A part of a panel with a header that collapses it.
class PanelSection : public QWidget {
    Q_OBJECT
public:
    explicit PanelSection(const QString& title, QWidget* parent = nullptr);

    /// Appends the widget as the next line.
    void add(QWidget* widget);
    /// Appends two columns next to each other.
    void addColumns(const std::vector<QWidget*>& left, const std::vector<QWidget*>& right);
    void setOpen(bool open);
    bool isOpen() const { return m_open; }

private:
    QToolButton* m_header;
    QWidget* m_content;
    QVBoxLayout* m_lines;
    bool m_open = true;
};

} // namespace scanloupe::gui
