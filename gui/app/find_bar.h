#pragma once
// Declares the search bar of a text.
#include <QTextCursor>
#include <QWidget>
#include <functional>
#include <utility>
#include <vector>

class QLabel;
class QLineEdit;
class QTextEdit;

namespace scanloupe::gui {

/// Finds words in a text: a field, the number of matches, previous and next. Hidden until it is opened. A
/// text that is one page of several is searched together with the others, see setMatchesElsewhere().
class FindBar : public QWidget {
    Q_OBJECT
public:
    explicit FindBar(QTextEdit& text, QWidget* parent = nullptr);

    /// Shows the bar, ready for new words.
    void open();
    /// Hides the bar and returns the focus to the text.
    void close();
    void next() { step(1); }
    void previous() { step(-1); }
    QLineEdit* words() const { return m_words; }
    /// "3 of 12", or that there is no match.
    QString result() const;

    /// Numbers of matches of words in the pages before and after the text.
    using MatchesElsewhere = std::function<std::pair<int, int>(const QString& words)>;
    void setMatchesElsewhere(MatchesElsewhere count) { m_matchesElsewhere = std::move(count); }
    /// Shows the first or the last match in another page, which has replaced the text.
    void resume(bool atEnd);

signals:
    /// The next match is in one of the following pages (1), or the previous one in one of the preceding (-1).
    void pageRanOut(int by);

private:
    void collectMatches();
    void find();
    void step(int by);
    void showMatch();

    QTextEdit& m_text;
    QLineEdit* m_words;
    QLabel* m_result;
    std::vector<QTextCursor> m_matches;
    int m_current = 0; ///< the match that is shown
    MatchesElsewhere m_matchesElsewhere;
    int m_before = 0, m_after = 0; ///< matches in other pages
};

} // namespace scanloupe::gui
