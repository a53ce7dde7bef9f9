// Asks for the nodes and the spacing of an empty grid.
#include "gui/dialogs/new_grid_dialog.h"

#include "gui/sliders/number_box.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>

namespace scanloupe::gui {

NewGridDialog::NewGridDialog(QWidget* parent) : QDialog(parent), m_spacing(new NumberBox) {
    setWindowTitle(tr("New empty volume"));
    auto* form = new QFormLayout(this);
    const std::array names{tr("Nodes along x"), tr("Nodes along y"), tr("Nodes along z")};
    for (std::size_t axis = 0; axis < m_dims.size(); ++axis) {
        m_dims[axis] = new NumberBox;
        m_dims[axis]->setDecimals(0);
        m_dims[axis]->setRange(2, 100'000);
        m_dims[axis]->showValue(128);
        m_dims[axis]->setAccessibleName(names[axis]);
        form->addRow(names[axis], m_dims[axis]);
    }
    m_spacing->setRange(1e-6, 1e6);
    m_spacing->setSuffix(tr(" m"));
    m_spacing->showValue(0.1);
    m_spacing->setAccessibleName(tr("Node spacing"));
    form->addRow(tr("Node spacing"), m_spacing);
    auto* hint = new QLabel(tr("Only painted parts use memory. Paint with the brushes of the Sculpt menu."));
    hint->setWordWrap(true);
    hint->setEnabled(false);
    form->addRow(hint);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("Create…"));
    form->addRow(buttons);
    addNumberProblems(form, buttons->button(QDialogButtonBox::Ok));
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

Vec3i NewGridDialog::dims() const {
    return {int(m_dims[0]->value()), int(m_dims[1]->value()), int(m_dims[2]->value())};
}

double NewGridDialog::spacing() const {
    return m_spacing->value();
}

} // namespace scanloupe::gui
