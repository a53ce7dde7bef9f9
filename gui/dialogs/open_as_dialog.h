#pragma once
// Declares the question how to open several files.
#include "gui/jobs/playlist.h"

#include <QDialog>

namespace scanloupe::gui {

/// Asks, once per opening, whether several files are a sequence, clouds, scans of one place or a survey. The
/// last choice is the default.
class OpenAsDialog : public QDialog {
    Q_OBJECT
public:
    /// @param isFolder whether all files are the scans of one folder
    OpenAsDialog(int files, bool isFolder, QWidget* parent = nullptr);

    void choose(SeveralAs as);

signals:
    void chosen(scanloupe::gui::SeveralAs as);
};

} // namespace scanloupe::gui
