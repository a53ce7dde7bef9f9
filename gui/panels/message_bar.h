#pragma once
#include <QFrame>

class QLabel;
class QToolButton;

namespace scanloupe::gui {

class IconLabel;

/// One message at the window's edge: a sentence, and for an error what to do next. Stays until it is closed
/// or work succeeds.
class MessageBar : public QFrame {
    Q_OBJECT
public:
    explicit MessageBar(QWidget* parent = nullptr);

    void showError(const QString& sentence, const QString& nextStep);
    void showNote(const QString& sentence);
    bool isError() const { return m_error; }
    QString text() const;

public slots:
    /// Something worked again: a message is out of date.
    void succeeded() { dismiss(); }
    void dismiss();

signals:
    void dismissed();

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void show(bool error, const QString& sentence, const QString& nextStep);
    void showColours();

    IconLabel* m_icon;
    QLabel* m_text;
    QToolButton* m_close;
    bool m_error = false;
};

} // namespace scanloupe::gui
