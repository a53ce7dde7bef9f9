#pragma once
#include <QTextCursor>
#include <QWidget>
#include <vector>

class QLabel;
class QLineEdit;
class QTextEdit;

namespace scanloupe::gui {

/// Finds words in a text: a field, how many places have them, previous and next. Hidden until it is asked
/// for.
class FindBar : public QWidget {
    Q_OBJECT
public:
    explicit FindBar(QTextEdit& text, QWidget* parent = nullptr);

    /// Shows itself, ready for other words.
    void open();
    /// Hides itself and gives the focus back to the text.
    void close();
    void next() { step(1); }
    void previous() { step(-1); }
    QLineEdit* words() const { return m_words; }
    /// "3 of 12", or that there is none.
    QString result() const;

private:
    void find();
    void step(int by);
    void showMatch();

    QTextEdit& m_text;
    QLineEdit* m_words;
    QLabel* m_result;
    std::vector<QTextCursor> m_matches;
    int m_current = 0; ///< that is shown
};

} // namespace scanloupe::gui
