#pragma once
#include <QFrame>
#include <QTimer>

class QLabel;
class QToolButton;

namespace scanloupe::gui {

class IconLabel;

/// One message at the window's edge: a sentence, and for an error what to do next. An error stays until it is
/// closed or out of date, a note goes by itself.
class MessageBar : public QFrame {
    Q_OBJECT
public:
    explicit MessageBar(QWidget* parent = nullptr);

    void showNote(const QString& sentence);
    bool isError() const { return m_error; }
    QString text() const;

public slots:
    void showError(const QString& sentence, const QString& nextStep);
    /// An error of values that can't be run: new results put it out of date.
    void showRunError(const QString& sentence, const QString& nextStep);
    /// New results are there.
    void runSucceeded();
    /// Something that was typed is not taken: what is taken next puts it out of date.
    void showInputError(const QString& sentence, const QString& nextStep);
    void inputAccepted();
    void dismiss();

signals:
    void dismissed();

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void show(bool error, const QString& clause, const QString& step);
    void showColours();

    IconLabel* m_icon;
    QLabel* m_text;
    QToolButton* m_close;
    QTimer m_noteEnds;
    bool m_error = false;
    bool m_isRunError = false;   ///< the error is of values that can't be run
    bool m_isInputError = false; ///< the error is of something that was typed
};

} // namespace scanloupe::gui
