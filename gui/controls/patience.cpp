// Waits in an event loop, and shows a dialog meanwhile.
#include "gui/controls/patience.h"

#include "gui/base/raw_text.h"

#include <QCoreApplication>
#include <QEventLoop>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>

namespace scanloupe::gui {

namespace {

// pause before the dialog, ms: most work ends earlier, and the dialog would only flash
constexpr int kSilenceMs = 500;
constexpr int kLookMs = 10;

/// Calls `end` from the event loop when the work is done.
void lookFor(const std::function<bool()>& isDone, QTimer& look, const std::function<void()>& end) {
    QObject::connect(&look, &QTimer::timeout, &look, [&isDone, end] {
        if (isDone())
            end();
    });
    look.start(kLookMs);
}

} // namespace

PatienceWords readingWords(const QString& path) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("Patience", text); };
    return {tr("Open"), tr("%1 is still being read.").arg(shownText(path)),
            tr("Its disk or network may be slow or not responding. Cancel keeps the window as it is.")};
}

Waited waitUntil(QWidget* window, const std::function<bool()>& isDone, const PatienceWords& words) {
    if (isDone())
        return Waited::done;
    {
        QEventLoop silent;
        QTimer look;
        lookFor(isDone, look, [&] { silent.quit(); });
        QTimer::singleShot(kSilenceMs, &silent, &QEventLoop::quit);
        silent.exec(QEventLoop::ExcludeUserInputEvents);
    }
    while (!isDone()) { // ask again: the finished job may have started another one
        QMessageBox box(QMessageBox::Information, words.title, words.sentence, QMessageBox::Cancel, window);
        box.setObjectName(QStringLiteral("patience"));
        box.setTextFormat(Qt::PlainText); // the text contains file names
        box.setInformativeText(words.explanation);
        QPushButton* leave =
            words.leave.isEmpty() ? nullptr : box.addButton(words.leave, QMessageBox::DestructiveRole);
        if (leave)
            leave->setObjectName(QStringLiteral("leave"));
        QTimer look;
        lookFor(isDone, look, [&] { box.done(QMessageBox::Ok); });
        const int answer = box.exec();
        if (leave && box.clickedButton() == leave)
            return Waited::left;
        if (answer != QMessageBox::Ok)
            return Waited::cancelled;
    }
    return Waited::done;
}

} // namespace scanloupe::gui
