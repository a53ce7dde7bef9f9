// Asks how to open several files.
#include "gui/dialogs/open_as_dialog.h"

#include "gui/base/settings.h"

#include <QCommandLinkButton>
#include <QDialogButtonBox>
#include <QLabel>
#include <QVBoxLayout>

namespace scanloupe::gui {

OpenAsDialog::OpenAsDialog(int files, bool isFolder, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Open %1 scans").arg(files));
    setMinimumWidth(460); // a sentence then takes one or two lines
    auto* column = new QVBoxLayout(this);
    column->addWidget(new QLabel(tr("Open %1 scans as").arg(files), this));
    const auto add = [&](const char* name, const QString& text, const QString& what, SeveralAs as) {
        auto* button = new QCommandLinkButton(text, what, this);
        button->setObjectName(QString::fromLatin1(name));
        column->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, as] { choose(as); });
        const bool last = settings::openSeveralAs.value() == as;
        button->setDefault(last);
        if (last)
            button->setFocus();
    };
    add("sequence", tr("A &sequence"),
        tr("Frames of one place, one after the other: camera and parameters stay while it plays."),
        SeveralAs::sequence);
    add("clouds", tr("Several &clouds"), tr("Scans to choose from: each has its own camera and parameters."),
        SeveralAs::clouds);
    add("place", tr("Scans of one &place"),
        tr("Shown together in their common frame. Each can be hidden, and they can be aligned."),
        SeveralAs::place);
    if (isFolder)
        add("survey", tr("A s&urvey"),
            tr("Parts of one area, such as the tiles of a city: shown as one scan, of which as much is read "
               "as the view "
               "needs."),
            SeveralAs::survey);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void OpenAsDialog::choose(SeveralAs as) {
    settings::openSeveralAs.set(as);
    emit chosen(as);
    accept();
}

} // namespace scanloupe::gui
