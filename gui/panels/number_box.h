#pragma once
#include <QDoubleSpinBox>

namespace scanloupe::gui {

/// A spin box for numbers of any size. Reads what people type, decimal commas and exponents too, once it is
/// whole (Enter, Tab, an arrow); what can't be taken is refused in a sentence and the old value stays. Shows
/// all digits while it has the focus, else as many as people compare.
class NumberBox : public QDoubleSpinBox {
    Q_OBJECT
public:
    /// Takes fractions until setDecimals(0) says otherwise.
    explicit NumberBox(QWidget* parent = nullptr);

    /// Shows a value without telling anyone; what is being typed stays when the value is the one that is
    /// known.
    void showValue(double value);

    QString textFromValue(double value) const override;
    double valueFromText(const QString& text) const override;
    QValidator::State validate(QString& text, int& position) const override;
    void fixup(QString& text) const override;
    void stepBy(int steps) override;
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override { return minimumSizeHint(); }

signals:
    /// What was typed is not taken, and why.
    void refused(const QString& sentence, const QString& nextStep) const;

protected:
    bool event(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    /// A wheel that scrolls the panel must not change a value in passing.
    void wheelEvent(QWheelEvent* event) override;

private:
    struct ParsedInput {
        double value = 0;
        QString problem = {}; ///< empty: the value can be taken
        QString nextStep = {};
    };
    ParsedInput parseInput(const QString& text) const;
    bool isWhole() const { return decimals() == 0; }
    bool isSpecial(double value) const { return value == minimum() && !specialValueText().isEmpty(); }
    QString withoutSuffix(const QString& text) const;
};

} // namespace scanloupe::gui
