// Formats, parses and steps numbers of any magnitude in a spin box.
#include "gui/sliders/number_box.h"

#include "gui/sliders/value_scale.h"
#include "gui/text/number_text.h"

#include <QFormLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace scanloupe::gui {

namespace {

/// Number of decimals to which Qt rounds a spin box's values: enough for the smallest double.
constexpr int kAllDecimals = 323;

/// Whether a key is a shortcut of the window: Ctrl with any letter except those for standard editing, such as
/// Ctrl+C. Otherwise, text fields would handle some of these keys (on X11, Ctrl+E moves the caret).
bool isWindowShortcut(const QKeyEvent& event) {
    const int key = event.key();
    return event.modifiers() & Qt::ControlModifier && key >= Qt::Key_A && key <= Qt::Key_Z &&
           !QStringLiteral("ACVXYZ").contains(QChar(key));
}

} // namespace

NumberBox::NumberBox(QWidget* parent) : QDoubleSpinBox(parent) {
    setDecimals(kAllDecimals);
    setKeyboardTracking(false);
    setFocusPolicy(Qt::StrongFocus);
    setGroupSeparatorShown(false);
    setAlignment(Qt::AlignRight | Qt::AlignVCenter);
}

void NumberBox::showValue(double value) {
    const bool isKnown = std::clamp(value, minimum(), maximum()) == this->value();
    if (isKnown && hasFocus() && lineEdit()->isModified())
        return;
    if (isKnown && !isSpecial(value) && lineEdit()->text() == textFromValue(this->value()) + suffix())
        return; // the text is the same: no new layout for results that arrive many times a second
    const QSignalBlocker blocker(this);
    setValue(value);
    lineEdit()->setModified(false);
}

QString NumberBox::textFromValue(double value) const {
    const double size = std::abs(value);
    const bool all = hasFocus();
    QString text;
    if (size != 0 && (size < 1e-4 || size >= 1e16)) {
        text = all ? locale().toString(value, 'e', QLocale::FloatingPointShortest)
                   : locale().toString(value, 'g', 4);
        text = text.toLower(); // QDoubleSpinBox accepts both, but a small e is easier to read
    } else if (all || isWhole()) {
        text = locale().toString(value, 'f', isWhole() ? 0 : int(QLocale::FloatingPointShortest));
    } else {
        // millimetres of map coordinates, which have seven digits before the point
        text = locale().toString(value, 'f', size >= 1e8 ? 0 : size >= 1000 ? 3 : size >= 1 ? 5 : 6);
        const QString point = locale().decimalPoint();
        while (text.contains(point) && text.endsWith(locale().zeroDigit()))
            text.chop(1);
        if (text.endsWith(point))
            text.chop(point.size());
    }
    return text.remove(locale().groupSeparator());
}

QString NumberBox::withoutSuffix(const QString& text) const {
    QString number = text.trimmed();
    const QString unit = suffix().trimmed();
    // the box's suffix, and a typed one; the m of mm is not a suffix
    for (int i = 0; i < 2; ++i) {
        const auto rest = number.size() - unit.size();
        if (!unit.isEmpty() && rest > 0 && number.endsWith(unit) && !number[rest - 1].isLetter())
            number = number.left(rest).trimmed();
    }
    return number;
}

NumberBox::ParsedInput NumberBox::parseInput(const QString& text) const {
    if (!specialValueText().isEmpty() && text.trimmed() == specialValueText().trimmed())
        return {minimum()};
    const QString typed = withoutSuffix(text);
    if (!lineEdit()->isModified() && typed == textFromValue(value()))
        return {value()}; // returns the exact value, not rounded to the displayed digits
    const QString old =
        tr("The value stays at %1.")
            .arg(isSpecial(value()) ? specialValueText() : roundTripText(value(), locale()) + suffix());
    const TypedNumber number = parseNumber(typed, locale());
    if (number.isAmbiguous)
        return {0, tr("%1: '%2' is ambiguous").arg(accessibleName(), typed),
                tr("Type it with a decimal point and without thousands separators. %1").arg(old)};
    if (!number.value)
        return {0, tr("%1: '%2' is not a number").arg(accessibleName(), typed), old};
    const double value = *number.value;
    if (isWhole() && value != std::floor(value))
        return {0, tr("%1 must be a whole number (got %2)").arg(accessibleName(), typed), old};
    if (value < minimum() || value > maximum())
        return {0,
                tr("%1 must be between %2 and %3%4 (got %5)")
                    .arg(accessibleName(), roundTripText(minimum(), locale()),
                         roundTripText(maximum(), locale()), suffix(), typed),
                old};
    return {value};
}

QValidator::State NumberBox::validate(QString& text, int&) const {
    // never Invalid: Qt would drop the key silently, and turn 1e9 into 19
    return parseInput(text).problem.isEmpty() ? QValidator::Acceptable : QValidator::Intermediate;
}

double NumberBox::valueFromText(const QString& text) const {
    const ParsedInput reading = parseInput(text);
    return reading.problem.isEmpty() ? reading.value : value();
}

void NumberBox::fixup(QString& text) const {
    const ParsedInput reading = parseInput(text);
    if (!reading.problem.isEmpty() && !withoutSuffix(text).isEmpty())
        emit refused(reading.problem, reading.nextStep);
}

void NumberBox::stepBy(int steps) {
    const bool acceptable = hasAcceptableInput();
    interpretText();
    if (!acceptable)
        return;
    // Qt's own adaptive step is limited by the number of decimals, which is unlimited here
    const double old = value();
    const double size = std::abs(old) / ((old < 0) == (steps < 0) ? 1 : 1.01);
    double step = size > 0 ? std::pow(10.0, std::floor(std::log10(size)) - 1) : 0.01;
    if (isWhole())
        step = std::max(step, 1.0);
    setValue(roundToResolution(old + steps * step, step * 1e-9));
    selectAll();
}

QSize NumberBox::minimumSizeHint() const {
    const QSize hint = QDoubleSpinBox::minimumSizeHint();
    // the declared limits may have many digits, typical values have few: the width fits those, so that boxes
    // above each other are equally wide
    const auto wide = [this](const QString& text) { return fontMetrics().horizontalAdvance(text); };
    if (buttonSymbols() == NoButtons) // map coordinates to the millimetre
        return {wide(QStringLiteral("0000000.000")) + 10, hint.height()};
    const QString digits = isWhole() ? QStringLiteral("000000000000") : QStringLiteral("0.000000 m");
    const int widest = std::max(
        {wide(digits), wide(QStringLiteral("0000") + suffix()), wide(specialValueText() + QLatin1Char(' '))});
    return {widest + 24, hint.height()};
}

bool NumberBox::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && isWindowShortcut(*static_cast<QKeyEvent*>(event))) {
        event->ignore();
        return false;
    }
    return QDoubleSpinBox::event(event);
}

void NumberBox::focusInEvent(QFocusEvent* event) {
    if (!isSpecial(value())) {
        const QSignalBlocker quiet(lineEdit()); // suppresses signals, since this is no edit by the user
        lineEdit()->setText(textFromValue(value()) + suffix());
    }
    QDoubleSpinBox::focusInEvent(event);
}

void NumberBox::keyPressEvent(QKeyEvent* event) {
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const bool isRefused = isEnter && !hasAcceptableInput();
    QDoubleSpinBox::keyPressEvent(event);
    if (isRefused)
        event->accept(); // if ignored, it would accept a dialog with the old value
}

void NumberBox::wheelEvent(QWheelEvent* event) {
    if (hasFocus())
        QDoubleSpinBox::wheelEvent(event);
    else
        event->ignore();
}

void connectNumberProblems(const NumberBox* box, QPushButton* accept, QLabel* line) {
    const auto show = [line](const QString& text) {
        line->setText(text);
        if (!text.isEmpty()) // the line stays visible, so that rows move only once
            line->show();
    };
    QObject::connect(box->findChild<QLineEdit*>(), &QLineEdit::textEdited, line, [=] {
        show(box->problem());
        accept->setEnabled(box->problem().isEmpty());
    });
    QObject::connect(box, &NumberBox::refused, line,
                     [show](const QString& sentence, const QString& nextStep) {
                         show(sentence + QStringLiteral(". ") + nextStep);
                     });
    // emitted after the old value has replaced the refused text
    QObject::connect(box, &NumberBox::editingFinished, accept, [accept] { accept->setEnabled(true); });
}

QLabel* addNumberProblems(QFormLayout* form, QPushButton* accept) {
    constexpr int kLines = 2;
    auto* line = new QLabel;
    line->setObjectName(QStringLiteral("numberProblem"));
    line->setWordWrap(true);
    line->setAlignment(Qt::AlignTop);
    line->setMinimumHeight(kLines * line->fontMetrics().lineSpacing());
    line->hide();
    form->insertRow(form->rowCount() - 1, line);
    for (const NumberBox* box : form->parentWidget()->findChildren<NumberBox*>())
        connectNumberProblems(box, accept, line);
    return line;
}

} // namespace scanloupe::gui
