#pragma once
// Declares the search bar of a text.
#include <QTextCursor>
#include <QWidget>
#include <vector>

class QLabel;
class QLineEdit;
class QTextEdit;

namespace scanloupe::gui {

/// Finds words in a text: a field, the number of matches, previous and next. Hidden until it is opened.
class FindBar : public QWidget {
    Q_OBJECT
public:
    explicit FindBar(QTextEdit& text, QWidget* parent = nullptr);

    /// Shows the bar, ready for other words.
    void open();
    /// Hides the bar and returns the focus to the text.
    void close();
    void next() { step(1); }
    void previous() { step(-1); }
    QLineEdit* words() const { return m_words; }
    /// "3 of 12", or that there is no match.
    QString result() const;

private:
    void find();
    void step(int by);
    void showMatch();

    QTextEdit& m_text;
    QLineEdit* m_words;
    QLabel* m_result;
    std::vector<QTextCursor> m_matches;
    int m_current = 0; ///< the match that is shown
};

} // namespace scanloupe::gui
