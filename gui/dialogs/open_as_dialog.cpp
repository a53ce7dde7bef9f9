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
        tr("Frames of one place in order of time, played with the same camera and parameters."),
        SeveralAs::sequence);
    add("clouds", tr("Several &clouds"),
        tr("Separate scans, shown one at a time, each with its own camera and parameters."),
        SeveralAs::clouds);
    add("place", tr("Scans of one &place"),
        tr("Shown together in a common frame. Each can be hidden, and they can be aligned."),
        SeveralAs::place);
    if (isFolder)
        add("survey", tr("A s&urvey"),
            tr("Tiles of one area, such as a city, shown as one scan. Only the points that the view needs "
               "are read."),
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
