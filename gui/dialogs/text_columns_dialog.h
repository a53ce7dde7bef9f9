#pragma once
// Declares the question which columns of a text are x, y and z.
#include <QDialog>
#include <array>
#include <string>
#include <vector>

class QComboBox;
class QPushButton;

namespace scanloupe {
struct ChosenColumn;
struct TextPreview;
} // namespace scanloupe

namespace scanloupe::gui {

/// Shows the first rows of a text, and asks for the columns of the coordinates. The accepted columns become
/// the default for texts of the same layout.
class TextColumnsDialog : public QDialog {
    Q_OBJECT
public:
    explicit TextColumnsDialog(const TextPreview& preview, QWidget* parent = nullptr);

    /// The columns of x, y and z.
    std::vector<ChosenColumn> columns() const;
    void accept() override;

private:
    /// Enables the button if three different columns are chosen.
    void onChosen();

    std::string m_layout;
    std::array<QComboBox*, 3> m_axes;
    QPushButton* m_open = nullptr;
};

} // namespace scanloupe::gui
