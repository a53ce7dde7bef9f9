#pragma once
// Declares the message bar of the window.
#include <QFrame>
#include <QTimer>
#include <functional>
#include <optional>

class QLabel;
class QPushButton;
class QToolButton;

namespace scanloupe::gui {

class IconLabel;

/// Shows one message over the upper edge of a widget, whose content does not move: a sentence, and for an
/// error the next step. An error stays until it is closed or outdated; a note disappears after some seconds.
class MessageBar : public QFrame {
    Q_OBJECT
public:
    /// @param under the widget below, which becomes the parent
    explicit MessageBar(QWidget* under);

    void showNote(const QString& sentence);
    /// Shows an offer with a button. It stays until it is used or closed, and returns after other messages.
    /// @param discard called by a second button; empty: no such button, and none to postpone the offer
    void showOffer(const QString& sentence, const QString& button, std::function<void()> action,
                   std::function<void()> discard = {});
    /// Closes the message and the offer, for example when another scan is shown.
    void clear();
    bool isError() const { return m_error; }
    QString text() const;

public slots:
    void showError(const QString& sentence, const QString& nextStep);
    /// Notes that a file was written.
    void showWritten(const QString& path);
    /// Shows an error of values that can't be run; new results make it outdated.
    void showRunError(const QString& sentence, const QString& nextStep);
    /// New results have arrived.
    void runSucceeded();
    /// Shows that typed input was refused; the next accepted input makes it outdated.
    void showInputError(const QString& sentence, const QString& nextStep);
    void inputAccepted();
    void dismiss();

signals:
    void dismissed();
    /// Emitted for each message, but not when an offer returns. @param text as text() returns it
    void shown(bool isError, const QString& text);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void show(bool error, const QString& clause, const QString& step);
    void showOffered();
    void showColours();
    /// Sets the size: as wide as the widget below, and as high as the text needs.
    void place();
    QPushButton* addButton(const char* name, const QString& text);

    IconLabel* m_icon;
    QLabel* m_text;
    QPushButton *m_offer, *m_later, *m_discard;
    struct Offer {
        QString sentence, button;
        std::function<void()> action, discard;
    };
    std::optional<Offer> m_offered; ///< until it is used or closed
    bool m_showsOffer = false;
    QToolButton* m_close;
    QTimer m_noteEnds;
    bool m_error = false;
    bool m_isRunError = false;   ///< the error is of values that can't be run
    bool m_isInputError = false; ///< the error is of refused input
};

} // namespace scanloupe::gui
