#pragma once
// Declares the question which columns of a text are x, y and z.
#include "engine/io/common/read_options.h"

#include <QDialog>
#include <array>

class QComboBox;
class QPushButton;

namespace scanloupe::gui {

/// Shows the first rows of a text, and asks for the columns of the coordinates. What is accepted is the
/// default for texts of the same layout.
class TextColumnsDialog : public QDialog {
    Q_OBJECT
public:
    explicit TextColumnsDialog(const TextPreview& preview, QWidget* parent = nullptr);

    /// The columns of x, y and z.
    std::vector<ChosenColumn> columns() const;
    void accept() override;

private:
    /// Three different columns can be accepted.
    void onChosen();

    std::string m_layout;
    std::array<QComboBox*, 3> m_axes;
    QPushButton* m_open = nullptr;
};

} // namespace scanloupe::gui
