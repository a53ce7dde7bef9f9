#pragma once
// Declares the dialog that makes a grid to paint in.
#include "kernels/core/vec3.h"

#include <QDialog>
#include <array>

namespace scanloupe::gui {

class NumberBox;

/// Prompts for the size of an empty grid.
class NewGridDialog : public QDialog {
    Q_OBJECT
public:
    explicit NewGridDialog(QWidget* parent = nullptr);
    Vec3i dims() const;     ///< nodes along x, y, z
    double spacing() const; ///< distance between nodes, metres

private:
    std::array<NumberBox*, 3> m_dims;
    NumberBox* m_spacing;
};

} // namespace scanloupe::gui
