#pragma once
#include <QWidget>
#include <initializer_list>

class QToolButton;
class QVBoxLayout;

namespace scanloupe::gui {

/// A headed part of a panel that can be folded away.
class Section : public QWidget {
    Q_OBJECT
public:
    explicit Section(const QString& title, QWidget* parent = nullptr);

    /// Takes the widget in as the next line.
    void add(QWidget* widget);
    /// Takes two columns in beside each other.
    void addColumns(std::initializer_list<QWidget*> left, std::initializer_list<QWidget*> right);
    void setOpen(bool open);
    bool isOpen() const { return m_open; }

private:
    QToolButton* m_header;
    QWidget* m_content;
    QVBoxLayout* m_lines;
    bool m_open = true;
};

} // namespace scanloupe::gui
