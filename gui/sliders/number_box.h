#pragma once
// Declares a spin box for numbers of any magnitude.
#include <QDoubleSpinBox>

class QFormLayout;
class QLabel;
class QPushButton;

namespace scanloupe::gui {

/// A spin box for numbers of any magnitude. Parses input, with decimal commas and exponents too, once it is
/// complete (Enter, Tab, an arrow); invalid input is refused with a message, and the old value stays. Shows
/// all digits while it has the focus, otherwise as many as are useful for comparison.
class NumberBox : public QDoubleSpinBox {
    Q_OBJECT
public:
    /// Accepts fractions until setDecimals(0).
    explicit NumberBox(QWidget* parent = nullptr);

    /// Why the text would be refused if it were complete; empty: it is accepted.
    QString problem() const { return parseInput(text()).problem; }

    /// Shows a value without emitting signals; text that is being typed stays when the value is unchanged.
    void showValue(double value);

    QString textFromValue(double value) const override;
    double valueFromText(const QString& text) const override;
    QValidator::State validate(QString& text, int& position) const override;
    void fixup(QString& text) const override;
    void stepBy(int steps) override;
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override { return minimumSizeHint(); }

signals:
    /// Emitted with the reason when input is refused.
    void refused(const QString& sentence, const QString& nextStep) const;

protected:
    bool event(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    /// Ignored without the focus: scrolling the panel must not change values.
    void wheelEvent(QWheelEvent* event) override;

private:
    struct ParsedInput {
        double value = 0;
        QString problem = {}; ///< empty: the value is accepted
        QString nextStep = {};
    };
    ParsedInput parseInput(const QString& text) const;
    bool isWhole() const { return decimals() == 0; }
    bool isSpecial(double value) const { return value == minimum() && !specialValueText().isEmpty(); }
    QString withoutSuffix(const QString& text) const;
};

/// Prevents a dialog from being accepted with another number than the typed one: `line` shows why a text is
/// refused, and `accept` is disabled until the text is replaced.
void connectNumberProblems(const NumberBox* box, QPushButton* accept, QLabel* line);
/// The same for all boxes of a form, with a line above its last row, that of the buttons.
/// @return the line, hidden until it is needed
QLabel* addNumberProblems(QFormLayout* form, QPushButton* accept);

} // namespace scanloupe::gui
