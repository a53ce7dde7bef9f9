// Asks how to open several files.
#include "gui/app/open_as_dialog.h"

#include <QCommandLinkButton>
#include <QDialogButtonBox>
#include <QLabel>
#include <QSettings>
#include <QVBoxLayout>

namespace scanloupe::gui {

namespace {
constexpr const char* kKey = "openSeveralAs";
}

OpenAsDialog::OpenAsDialog(int files, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Open %1 scans").arg(files));
    setMinimumWidth(460); // a sentence a line or two
    auto* column = new QVBoxLayout(this);
    column->addWidget(new QLabel(tr("What are these %1 scans?").arg(files), this));
    const auto add = [&](const char* name, const QString& text, const QString& what, Playlist::Kind kind) {
        auto* button = new QCommandLinkButton(text, what, this);
        button->setObjectName(QString::fromLatin1(name));
        column->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, kind] { choose(kind); });
        const bool last = QSettings().value(kKey).toInt() == int(kind);
        button->setDefault(last);
        if (last)
            button->setFocus();
    };
    add("sequence", tr("A &sequence"),
        tr("Frames of one place, one after the other: camera and parameters stay while it plays."),
        Playlist::Kind::sequence);
    add("clouds", tr("Several &clouds"), tr("Scans to choose from: each has its own camera and parameters."),
        Playlist::Kind::clouds);
    add("place", tr("Scans of one &place"),
        tr("Shown together in their common frame. Each can be hidden, and they can be aligned."),
        Playlist::Kind::place);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void OpenAsDialog::choose(Playlist::Kind kind) {
    QSettings().setValue(kKey, int(kind));
    emit chosen(kind);
    accept();
}

} // namespace scanloupe::gui
