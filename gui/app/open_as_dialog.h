#pragma once
// Declares the question how to open several files.
#include "gui/jobs/playlist.h"

#include <QDialog>

namespace scanloupe::gui {

/// Asks, once per opening, whether several files are a sequence, clouds, or scans of one place. The last
/// choice is the default.
class OpenAsDialog : public QDialog {
    Q_OBJECT
public:
    explicit OpenAsDialog(int files, QWidget* parent = nullptr);

    void choose(Playlist::Kind kind);

signals:
    void chosen(scanloupe::gui::Playlist::Kind kind);
};

} // namespace scanloupe::gui
