// Shows and edits the parameters of an alignment.
#include "gui/panels/align_form.h"

#include "gui/base/length_text.h"
#include "gui/controls/wheel_safe_combo_box.h"
#include "gui/sliders/number_box.h"

#include <QFormLayout>

namespace scanloupe::gui {

AlignForm::AlignForm(QWidget* parent)
    : QWidget(parent), m_to(new WheelSafeComboBox(this)), m_method(new WheelSafeComboBox(this)),
      m_resolution(new NumberBox(this)), m_search(new NumberBox(this)),
      m_neighbours(new WheelSafeComboBox(this)), m_maxIterations(new NumberBox(this)) {
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setSpacing(4);
    m_to->addItem(tr("all previous scans"), int(AlignTo::map));
    m_to->addItem(tr("the previous scan"), int(AlignTo::previous));
    m_to->addItem(tr("the first scan"), int(AlignTo::first));
    m_to->setToolTip(tr("Target of the alignment"));
    form->addRow(tr("Align to"), m_to);
    addMethods();
    form->addRow(tr("Method"), m_method);
    m_resolution->setRange(0, 1000);
    m_resolution->setAccessibleName(tr("Cell size"));
    m_resolution->setSpecialValueText(tr("automatic"));
    m_resolution->setToolTip(tr("Edge length of the cells that points are compared with; smaller cells align "
                                "more precisely, but need a better initial pose"));
    form->addRow(tr("Cell size"), m_resolution);
    m_search->setObjectName(QStringLiteral("search"));
    m_search->setRange(0, 1000);
    m_search->setAccessibleName(tr("Search radius"));
    m_search->setSpecialValueText(tr("off"));
    m_search->setToolTip(tr("Search radius around the expected position, for any heading; use it for scans "
                            "without an initial pose"));
    form->addRow(tr("Search radius"), m_search);
    addNeighbours();
    form->addRow(tr("Neighbour cells"), m_neighbours);
    m_maxIterations->setRange(1, 1000);
    m_maxIterations->setAccessibleName(tr("Max. iterations"));
    m_maxIterations->setDecimals(0);
    m_maxIterations->setValue(NdtParams{}.maxIterations);
    m_maxIterations->setToolTip(tr("Alignment stops after this number of iterations"));
    form->addRow(tr("Max. iterations"), m_maxIterations);
}

void AlignForm::addMethods() {
    m_method->addItem(tr("surfaces (GICP)"), int(AlignMethod::gicp));
    m_method->addItem(tr("surfaces (VGICP)"), int(AlignMethod::vgicp));
    m_method->addItem(tr("point to plane"), int(AlignMethod::plane));
    m_method->addItem(tr("distributions (NDT)"), int(AlignMethod::ndt));
    m_method->setObjectName(QStringLiteral("method"));
    m_method->setToolTip(tr("Registration algorithm"));
    connect(m_method, &QComboBox::currentIndexChanged, this, &AlignForm::showState);
}

void AlignForm::addNeighbours() {
    m_neighbours->addItem(tr("own cell"), int(NdtNeighbours::direct1));
    m_neighbours->addItem(tr("7 cells"), int(NdtNeighbours::direct7));
    m_neighbours->addItem(tr("27 cells"), int(NdtNeighbours::direct27));
    m_neighbours->setCurrentIndex(m_neighbours->findData(int(NdtParams{}.neighbours)));
    m_neighbours->setToolTip(tr("Cells that NDT compares a point with"));
}

AlignParams AlignForm::params() const {
    AlignParams params;
    params.method = AlignMethod(m_method->currentData().toInt());
    params.to = AlignTo(m_to->currentData().toInt());
    if (m_resolution->value() > 0)
        params.resolution = m_resolution->value();
    params.searchRadius = m_search->value();
    params.ndt.neighbours = NdtNeighbours(m_neighbours->currentData().toInt());
    params.ndt.maxIterations = int(m_maxIterations->value());
    return params;
}

void AlignForm::setUnit(LengthUnit unit) {
    m_resolution->setSuffix(QLatin1Char(' ') + unitSymbol(unit));
    m_search->setSuffix(QLatin1Char(' ') + unitSymbol(unit));
}

void AlignForm::setEditable(bool isEditable) {
    m_isEditable = isEditable;
    showState();
}

void AlignForm::showState() {
    for (QWidget* control :
         std::initializer_list<QWidget*>{m_to, m_method, m_resolution, m_search, m_maxIterations})
        control->setEnabled(m_isEditable);
    m_neighbours->setEnabled(m_isEditable && m_method->currentData().toInt() == int(AlignMethod::ndt));
}

} // namespace scanloupe::gui
