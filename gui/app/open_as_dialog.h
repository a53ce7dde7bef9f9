#pragma once
#include "gui/jobs/playlist.h"

#include <QDialog>

namespace scanloupe::gui {

/// Asks once for an opening what several files are. What was chosen the last time is the default.
class OpenAsDialog : public QDialog {
    Q_OBJECT
public:
    explicit OpenAsDialog(int files, QWidget* parent = nullptr);

    void choose(Playlist::Kind kind);

signals:
    void chosen(scanloupe::gui::Playlist::Kind kind);
};

} // namespace scanloupe::gui
