// Shows a message at the window's edge.
#include "gui/controls/message_bar.h"

#include "gui/controls/icon_label.h"
#include "gui/controls/icons.h"
#include "gui/controls/theme.h"
#include "gui/text/parameter_labels.h"

#include <QAccessible>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace scanloupe::gui {

namespace {

constexpr int kNoteMs = 12'000;

QColor mixed(const QColor& a, const QColor& b, double part) {
    const auto mix = [part](float x, float y) { return x + float(part) * (y - x); };
    return QColor::fromRgbF(mix(a.redF(), b.redF()), mix(a.greenF(), b.greenF()), mix(a.blueF(), b.blueF()));
}

/// Capitalizes and punctuates an error message, which is a clause, since the command line puts its name
/// before it.
QString sentenceOf(QString text) {
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    if (!text.isEmpty() && !QStringLiteral(".!?").contains(text.back()))
        text += QLatin1Char('.');
    return text;
}

} // namespace

MessageBar::MessageBar(QWidget* under)
    : QFrame(under), m_icon(new IconLabel({}, 18, this)), m_text(new QLabel(this)),
      m_offer(addButton("offer", {})), m_later(addButton("offerLater", tr("Not Now"))),
      m_discard(addButton("offerDiscard", tr("Discard…"))), m_close(new QToolButton(this)) {
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(10, 6, 6, 6);
    row->setSpacing(8);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_close->setIcon(toolIcon(QStringLiteral("close")));
    m_close->setIconSize({14, 14});
    m_close->setAutoRaise(true);
    m_close->setToolTip(tr("Close this message"));
    m_close->setAccessibleName(tr("Close this message"));
    row->addWidget(m_icon, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout;
    auto* buttons = new QHBoxLayout;
    for (QPushButton* button : {m_offer, m_later, m_discard})
        buttons->addWidget(button);
    buttons->addStretch();
    column->addWidget(m_text);
    column->addLayout(buttons);
    row->addLayout(column, 1);
    row->addWidget(m_close, 0, Qt::AlignTop);
    for (QPushButton* button : {m_offer, m_discard})
        connect(button, &QPushButton::clicked, this, [this, button] {
            const std::function<void()> action = button == m_offer ? m_offered->action : m_offered->discard;
            dismiss();
            action();
        });
    connect(m_later, &QPushButton::clicked, this, &MessageBar::dismiss);
    connect(m_close, &QToolButton::clicked, this, &MessageBar::dismiss);
    m_noteEnds.setSingleShot(true);
    m_noteEnds.setInterval(kNoteMs);
    connect(&m_noteEnds, &QTimer::timeout, this, &MessageBar::dismiss);
    under->installEventFilter(this);
    hide();
}

QPushButton* MessageBar::addButton(const char* name, const QString& text) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(QLatin1String(name));
    button->hide();
    return button;
}

bool MessageBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize && !isHidden())
        place();
    return QFrame::eventFilter(watched, event);
}

void MessageBar::place() {
    const int width = parentWidget()->width();
    layout()->activate(); // updates the heights, which are still those of the previous text
    setGeometry(0, 0, width, heightForWidth(width));
    raise();
}

void MessageBar::showError(const QString& sentence, const QString& nextStep) {
    show(true, sentence, nextStep);
    emit shown(true, text());
}

void MessageBar::showRunError(const QString& sentence, const QString& nextStep) {
    showError(sentence, nextStep);
    m_isRunError = true;
}

void MessageBar::showInputError(const QString& sentence, const QString& nextStep) {
    showError(sentence, nextStep);
    m_isInputError = true;
}

void MessageBar::inputAccepted() {
    if (m_isInputError)
        dismiss();
}

void MessageBar::showNote(const QString& sentence) {
    show(false, sentence, {});
    m_noteEnds.start();
    emit shown(false, text());
}

void MessageBar::showWritten(const QString& path) {
    showNote(tr("Written: %1.").arg(path));
}

void MessageBar::showOffer(const QString& sentence, const QString& button, std::function<void()> action,
                           std::function<void()> discard) {
    m_offered = Offer{sentence, button, std::move(action), std::move(discard)};
    showOffered();
    emit shown(false, text());
}

void MessageBar::showOffered() {
    show(false, m_offered->sentence, {});
    m_showsOffer = true;
    m_offer->setText(m_offered->button);
    m_offer->show();
    for (QPushButton* other : {m_later, m_discard})
        other->setVisible(bool(m_offered->discard));
    place();
}

void MessageBar::clear() {
    m_offered.reset();
    dismiss();
}

void MessageBar::runSucceeded() {
    if (m_isRunError)
        dismiss();
}

QString MessageBar::text() const {
    return accessibleDescription();
}

void MessageBar::show(bool error, const QString& clause, const QString& step) {
    const QString sentence = sentenceOf(withParameterLabels(clause)), nextStep = withParameterLabels(step);
    m_error = error;
    // otherwise a note with an entity but without a tag would show the entity
    m_text->setTextFormat(Qt::RichText);
    m_isRunError = m_isInputError = false;
    m_noteEnds.stop();
    for (QPushButton* button : {m_offer, m_later, m_discard})
        button->hide();
    m_showsOffer = false;
    m_text->setText(QStringLiteral("<b>%1</b> %2").arg(sentence.toHtmlEscaped(), nextStep.toHtmlEscaped()));
    if (!error)
        m_text->setText(sentence.toHtmlEscaped());
    setAccessibleName(error ? tr("Error") : tr("Note"));
    setAccessibleDescription((sentence + QLatin1Char(' ') + nextStep).trimmed());
    showColours();
    setVisible(true);
    place();
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void MessageBar::dismiss() {
    if (isHidden())
        return;
    if (m_showsOffer)
        m_offered.reset();
    if (m_offered) // the offer is shown again after other messages
        return showOffered();
    hide();
    m_showsOffer = false;
    emit dismissed();
}

void MessageBar::showColours() {
    const QPalette application = QGuiApplication::palette();
    const QColor accent = m_error ? QColor(0xd0, 0x30, 0x30) : application.color(QPalette::Highlight);
    const QColor wanted =
        mixed(application.color(QPalette::Window), accent, isDark(application) ? 0.32 : 0.16);
    m_icon->setIcon(toolIcon(m_error ? QStringLiteral("error") : QStringLiteral("note")));
    if (palette().color(QPalette::Window) == wanted)
        return;       // setting a palette emits another change event
    QPalette colours; // all other colours follow the application's
    colours.setColor(QPalette::Window, wanted);
    setPalette(colours);
}

void MessageBar::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showColours();
}

void MessageBar::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        dismiss();
    else
        QFrame::keyPressEvent(event);
}

} // namespace scanloupe::gui
